import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import './style.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './api/page-settings.ts';
import { queryClient } from './api/query-client.ts';
import { watchConnection } from './api/watch-connection.ts';
import { withTokenHidden } from './parts/own-address.ts';
import { router } from './routes.tsx';
import { theme } from './theme.ts';

// The package that stops the page from scrolling behind a dialog reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

// Before the router reads the URL, and before any request.
const hidden = withTokenHidden(window.location.href);
if (hidden !== null) window.history.replaceState(window.history.state, '', hidden);

watchConnection();

createRoot(document.getElementById('app') as HTMLElement).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
