// Finds headings on every page of the documentation; the pages are read once, at the first key.
const pages = [...document.querySelectorAll("#menu a")].map((link) => ({
  url: link.pathname,
  page: link.textContent,
}));
const input = document.querySelector("#search");
const menu = document.querySelector("#menu");
const found = document.querySelector("#found");
const MAX_FOUND = 40;
let entries;

async function read({ url, page }) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const html = await answer.text();
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.querySelectorAll("main h1, main h2, main h3")].map((heading) => {
    const anchor = heading.id || heading.closest("section")?.id;
    const words = heading.closest("section")?.textContent ?? heading.nextElementSibling?.textContent ?? "";
    return {
      url: anchor ? `${url}#${anchor}` : url,
      title: heading.textContent,
      page,
      words: `${heading.textContent} ${words}`.toLowerCase(),
    };
  });
}

input.addEventListener("input", async () => {
  entries ??= Promise.all(pages.map(read)).then((all) => all.flat());
  // A failed load is tried again at the next key.
  entries.catch(() => {
    entries = undefined;
  });
  const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = (await entries).filter(({ words }) => wanted.every((word) => words.includes(word)));
  const rank = ({ title }) => (wanted.every((word) => title.toLowerCase().includes(word)) ? 0 : 1);
  menu.hidden = wanted.length > 0;
  found.hidden = wanted.length === 0;
  found.replaceChildren(
    ...hits
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, MAX_FOUND)
      .map(({ url, title, page }) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = url;
        link.textContent = `${title} (${page})`;
        item.append(link);
        return item;
      }),
  );
});
