import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.BusinessProfilesApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.model.Industry;
import org.openapitools.client.model.PartnerError;
import org.openapitools.client.model.ProfileCreateRequest;
import org.openapitools.client.model.WebhookEvent;

public class Driver {
  static ProfileCreateRequest business(String email) {
    return new ProfileCreateRequest()
        .partnerCustomerId("generated-java-" + System.nanoTime()).email(email).companyName("Generated")
        .businessTypeCode("LLC").incorporationCountryIso3Code("NGA").industry(Industry.fromValue("CustomerRevenue"))
        .website("https://generated.example").registrationNumber("RC1");
  }

  static String refusal(BusinessProfilesApi profiles) throws Exception {
    try {
      profiles.profileCreate(business("none"), null, null, null);
      return "";
    } catch (ApiException refused) {
      var error = JSON.getDefault().getMapper().readValue(refused.getResponseBody(), PartnerError.class);
      return error.getError().getCode().toString();
    }
  }

  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("TOKEN")));
    var profiles = new BusinessProfilesApi(client);
    var mapper = JSON.getDefault().getMapper();
    List<List<String>> events = new ArrayList<>();
    for (WebhookEvent event : new EventsApi(client).deliveryListEvents(System.getenv("CURSOR"), 100, null).getValue().getItems()) {
      Object one = event.getActualInstance();
      events.add(List.of(mapper.valueToTree(one).get("eventType").asText(), one.getClass().getSimpleName()));
    }
    var listed = profiles.profileList(null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    System.out.println(mapper.writeValueAsString(Map.of(
        "created", profiles.profileCreate(business("a@b.example"), null, null, null).getValue().getCustomerId().toString(),
        "listed", listed.getValue().getItems().size(),
        "refused", refusal(profiles),
        "events", events)));
  }
}
