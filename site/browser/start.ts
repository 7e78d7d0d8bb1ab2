import '@fontsource-variable/inter/wght.css';
import './style.css';
import './code.css';
import { startCopying } from './copy.ts';
import { startSearch } from './search-dialog.ts';

// The settings area uses the same key, so that both share the choice.
const schemeKey = 'mantine-color-scheme-value';
const schemeAttribute = 'data-mantine-color-scheme';

function startSchemeSwitch(): void {
  const button = document.querySelector<HTMLButtonElement>('#scheme');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const html = document.documentElement;
    const scheme = html.getAttribute(schemeAttribute) === 'dark' ? 'light' : 'dark';
    html.setAttribute(schemeAttribute, scheme);
    localStorage.setItem(schemeKey, scheme);
  });
}

/** Highlights the current section in the table of contents. */
function followReading(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.contents.wide a')];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = () => {
    const passed = headings.filter((heading) => heading && heading.getBoundingClientRect().top < 120).length;
    for (const [place, link] of links.entries()) link.classList.toggle('current', place === passed - 1);
  };
  document.addEventListener('scroll', mark, { passive: true });
  mark();
}

/** Scrolls the navigation to the current page if it is out of sight. */
function showCurrentPage(): void {
  const navigation = document.querySelector<HTMLElement>('#navigation');
  const current = navigation?.querySelector<HTMLElement>('[aria-current]');
  if (navigation && current && current.offsetTop > navigation.clientHeight - 80)
    navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
}

startSchemeSwitch();
startSearch();
startCopying();
followReading();
showCurrentPage();
