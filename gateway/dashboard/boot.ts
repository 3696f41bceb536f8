/** Before the first paint: the chosen theme; then the app, and one new try when this page is of another version. */
const { documentElement: root } = document;
const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") root.dataset.theme = theme;

const RELOADED = "reloaded";

/** During a rollout a gateway of another version may be asked for our files, and answers 404. */
const reloadOnce = (): void => {
  if (sessionStorage.getItem(RELOADED)) return;
  sessionStorage.setItem(RELOADED, "true");
  location.reload();
};

addEventListener("DOMContentLoaded", async () => {
  try {
    await import(root.dataset.app ?? "");
    if (document.styleSheets.length === 0) throw new Error("There is no stylesheet.");
    sessionStorage.removeItem(RELOADED);
  } catch (error) {
    console.error(error);
    reloadOnce();
  }
});
