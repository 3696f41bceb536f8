/** An error of our own code ends one page, not the whole dashboard. */
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { Button } from "./field.tsx";
import { Notice, Page } from "./page.tsx";

type Props = {
  /** Another place is another page, which begins without the error. */
  place: string;
  children: ComponentChildren;
};

export function Boundary({ place, children }: Props) {
  const [error, forget] = useErrorBoundary((cause) => console.error(cause));
  useEffect(() => {
    if (error) forget();
  }, [place]);
  if (!error) return <>{children}</>;
  return (
    <Page title="This page has an error">
      <Notice tone="bad">
        <p>The dashboard has a fault. Your data is not affected.</p>
        <p>Reload the page. If the error remains, send the address of this page to support.</p>
        <p>
          <Button onClick={() => location.reload()}>Reload</Button>
        </p>
      </Notice>
    </Page>
  );
}
