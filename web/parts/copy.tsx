import { ActionIcon, Box, Button, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from './icons.tsx';

export function CopyIcon({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} onClick={copy} aria-label={label}>
            <Icon name={copied ? 'check' : 'copy'} size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function CopyText({ value, children }: { value: string; children: string }) {
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="xs"
          onClick={copy}
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
        >
          {copied ? 'Copied' : children}
        </Button>
      )}
    </CopyButton>
  );
}

/** A block of code with a copy button. Nothing in the text is interpreted. */
export function CodeBlock({ code, label, maxHeight }: { code: string; label: string; maxHeight?: number }) {
  return (
    <Box pos="relative">
      <Box
        component="pre"
        role="region"
        aria-label={label}
        tabIndex={0}
        className="code"
        style={{ maxHeight, paddingRight: 48 }}
      >
        {code}
      </Box>
      <Box pos="absolute" top={8} right={8} bg="var(--page)" style={{ borderRadius: 6 }}>
        <CopyIcon value={code} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}
