/** The session decides the pages: the sign-in, a partner's or an analyst's. */
import { useEffect, useState } from "preact/hooks";
import { ApiFailure, sessionState } from "./core/http.ts";
import { href, matchPath, navigate, usePath } from "./core/router.ts";
import { findSession } from "./core/session.ts";
import { useStore } from "./core/store.ts";
import { HinderedPage } from "./pages/hindered.tsx";
import { InvitationPage } from "./pages/invitation.tsx";
import { HOME, PAGES, roleOf } from "./pages/pages.tsx";
import { Shell } from "./pages/shell.tsx";
import { SignInAgain, SignInPage } from "./pages/sign-in.tsx";
import { Boundary } from "./ui/boundary.tsx";
import { Empty, Failure, Page } from "./ui/page.tsx";

const INVITATION = "/invitation";
const ACCOUNT = "/account";

export function App() {
  const state = useStore(sessionState);
  const path = usePath();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  // After the hash, so that no server and no log has it.
  const [invitation, setInvitation] = useState(() => (path === INVITATION ? location.hash.slice(1) : ""));
  const find = () => {
    setFailure(null);
    findSession().catch((error) => (error instanceof ApiFailure ? setFailure(error) : Promise.reject(error)));
  };
  useEffect(find, []);
  if (invitation)
    return (
      <InvitationPage
        token={invitation}
        onSignedIn={() => {
          setInvitation("");
          navigate(href("/"), { replace: true });
        }}
      />
    );
  if (failure)
    return (
      <main class="entry">
        <Failure failure={failure} retry={find} />
      </main>
    );
  if (state.kind === "signedOut") return <SignInPage />;
  if (!("session" in state)) return null;
  const { session } = state;
  const hindrance = path === ACCOUNT ? undefined : state.hindrance;
  const isEnded = state.kind === "again" && state.reason === "ended";
  return (
    <>
      <Shell session={session} isEnded={isEnded}>
        <Boundary place={hindrance ?? path}>
          {hindrance ? <HinderedPage hindrance={hindrance} /> : <CurrentPage kind={roleOf(session)} />}
        </Boundary>
      </Shell>
      {state.kind === "again" && <SignInAgain reason={state.reason} email={session.user.email} />}
    </>
  );
}

function CurrentPage({ kind }: { kind: keyof typeof HOME }) {
  const path = usePath();
  const isHome = path === "/" || path === INVITATION;
  useEffect(() => {
    if (isHome) navigate(HOME[kind], { replace: true });
  }, [isHome, kind]);
  if (isHome) return null;
  for (const { pattern, kinds, View } of PAGES) {
    const params = kinds.includes(kind) ? matchPath(pattern, path) : null;
    // The same view stays, so that a list keeps its rows while one of them is opened beside it.
    if (params) return <View key={PAGES.findIndex((row) => row.View === View)} params={params} />;
  }
  const ofOwners = PAGES.find(({ pattern, kinds }) => kinds.join() === "owner" && matchPath(pattern, path));
  if (kind === "user" && ofOwners?.label)
    return (
      <Page title={ofOwners.label}>
        <Empty title={`${ofOwners.label} is for Owners.`}>
          <p>Ask an Owner of your organisation for a change, or for the role.</p>
          <a href={HOME[kind]}>Go to the first page</a>
        </Empty>
      </Page>
    );
  return (
    <Page title="Not found">
      <Empty title="There is no such page for your role.">
        <a href={HOME[kind]}>Go to the first page</a>
      </Empty>
    </Page>
  );
}
