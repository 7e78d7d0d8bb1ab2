import type { UseFormReturnType } from '@mantine/form';
import type { DestinationDraft } from '../../draft/draft.ts';
import { KeptSecret } from '../kept-secret.tsx';

const scopes = ['crm.objects.contacts.write', 'crm.schemas.contacts.read'];

interface TokenInputProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly isStored: boolean;
}

export function TokenInput({ form, isStored }: TokenInputProps) {
  return (
    <KeptSecret
      form={form}
      field="token"
      label="Access token"
      description={
        <>
          In HubSpot: Development, Keys, Service keys, Create service key, with the scopes{' '}
          {scopes.map((scope, i) => (
            <span key={scope}>
              {i === 0 ? '' : ' and '}
              <code className="wrap">{scope}</code>
            </span>
          ))}
          . The token of a private app works, too. Tokens are encrypted and never shown again.
        </>
      }
      placeholder="pat-…"
      stored={isStored ? 'An access token is stored. It is a secret, and never shown.' : null}
    />
  );
}
