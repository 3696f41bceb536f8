/** An error of our own code ends one page and not the whole dashboard. */
import { Component, type ComponentChildren } from "preact";
import { Page } from "./page.tsx";

type Props = {
  /** Another place is another page, which begins without the error. */
  place: string;
  children: ComponentChildren;
};

export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate({ place }: Props): void {
    if (this.state.failed && place !== this.props.place) this.setState({ failed: false });
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render({ children }: Props, { failed }: { failed: boolean }): ComponentChildren {
    if (!failed) return children;
    return (
      <Page title="This page has an error">
        <div class="notice tone-bad" role="alert">
          <p>It is an error of the dashboard. Your data is not affected.</p>
          <p>Reload the page. If the error remains, send its address to support.</p>
          <p>
            <button type="button" class="button" onClick={() => location.reload()}>
              Reload
            </button>
          </p>
        </div>
      </Page>
    );
  }
}
