/** The theme of this browser; boot.ts applies it before the first paint. */
export type Theme = "system" | "light" | "dark";

const KEY = "theme";

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") {
    localStorage.removeItem(KEY);
    delete dataset.theme;
  } else {
    localStorage.setItem(KEY, theme);
    dataset.theme = theme;
  }
}
