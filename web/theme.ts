import { createTheme, type MantineColorsTuple } from '@mantine/core';

const iris: MantineColorsTuple = [
  '#eef0ff',
  '#dfe3fb',
  '#bdc4f3',
  '#98a3ec',
  '#7986e6',
  '#6573e2',
  '#5a69e1',
  '#4453d6',
  '#3b49bf',
  '#2f3ca3',
];
/** Cooler and a little darker than Mantine's own greys, so that cards stand out from the page. */
const dark: MantineColorsTuple = [
  '#d5d8e0',
  '#b4b9c6',
  '#959cae',
  '#6c7488',
  '#474e60',
  '#353b4a',
  '#272c38',
  '#1b1f29',
  '#151821',
  '#0e1118',
];
const mono = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 6 },
  colors: { iris, dark },
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif',
  fontFamilyMonospace: mono,
  headings: { fontWeight: '620' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { openDelay: 250, multiline: true, maw: 320, withArrow: true } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        centered: true,
        overlayProps: { backgroundOpacity: 0.4, blur: 2 },
      },
    },
    // The placeholder is an element that a menu may not have; the first item gets the focus instead.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Nearly everything is required, so that a star says nothing.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
    Card: { defaultProps: { withBorder: true, padding: 'lg' } },
  },
});
