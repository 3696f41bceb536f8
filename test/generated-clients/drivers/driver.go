package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"time"

	// Only to be compiled.
	_ "generated/dashboard"
	client "generated/partner"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	withToken := client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	})
	api := must(client.NewClientWithResponses(os.Getenv("BASE_URL"), withToken))
	create := func(email string) *client.ProfileCreateResponse {
		return must(api.ProfileCreateWithResponse(ctx, &client.ProfileCreateParams{}, client.ProfileCreateRequest{
			PartnerCustomerId: fmt.Sprintf("generated-go-%d", time.Now().UnixNano()), Email: email,
			CompanyName: "Generated", BusinessTypeCode: "LLC", IncorporationCountryIso3Code: "NGA",
			Industry: "CustomerRevenue", Website: "https://generated.example", RegistrationNumber: "RC1",
		}))
	}
	created := create("a@b.example").JSON200
	refused := create("none").JSON400
	listed := must(api.ProfileListWithResponse(ctx, &client.ProfileListParams{})).JSON200
	size, cursor := 100, os.Getenv("CURSOR")
	feed := must(api.DeliveryListEventsWithResponse(ctx, &client.DeliveryListEventsParams{Cursor: &cursor, PageSize: &size})).JSON200
	events := [][]string{}
	for _, event := range feed.Value.Items {
		class := reflect.TypeOf(must(event.ValueByDiscriminator())).Name()
		events = append(events, []string{must(event.Discriminator()), class})
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created": created.Value.CustomerId.String(),
		"listed":  len(listed.Value.Items),
		"refused": refused.Error.Code,
		"events":  events,
	})
}
