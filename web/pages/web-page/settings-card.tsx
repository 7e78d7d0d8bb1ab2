import {
  Alert,
  Anchor,
  Box,
  Button,
  Group,
  NumberInput,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BrowserSettings } from '../../../src/contract/browser/settings.ts';
import { isCaptcha, tokenSeconds } from '../../../src/contract/browser/terms.ts';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { browserQuery } from '../../api/queries.ts';
import { type ApiForm, SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { useUnsavedGuard } from '../../parts/dialogs/unsaved-guard.ts';
import { Tag } from '../../parts/tag.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useIsOwner } from '../../shell/workspace.ts';
import { type DraftProps, draftOf, settingsOf, type WebPageDraft } from './draft.ts';
import { LocalhostSwitch, OriginsInput, withOrigin } from './origins-input.tsx';
import { hasStoredSecret, ProtectionInput, protectionNames } from './protection-input.tsx';

interface SettingsCardProps {
  readonly form: Form;
  readonly settings: BrowserSettings;
}

/** Whether and how web pages send leads to the form. Members read it. */
export function SettingsCard({ form, settings }: SettingsCardProps) {
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="web-page-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id="web-page-title">
          Web page
        </Title>
        <Tag tone={settings.enabled ? 'good' : 'quiet'}>{settings.enabled ? 'On' : 'Off'}</Tag>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        A page of your website sends leads straight from the visitor’s browser: without a backend, and without
        a secret in the page. Each submission gets its own token, valid for this page, this lead and a few
        minutes.{' '}
        <Anchor href="/docs/browser" target="_blank" size="sm">
          How it works
        </Anchor>
      </Text>
      <SettingsForm form={form} settings={settings} />
    </Box>
  );
}

function SettingsForm({ form: { workspace_id, id }, settings }: SettingsCardProps) {
  const isReadOnly = !useIsOwner();
  const queryClient = useQueryClient();
  const form: ApiForm<WebPageDraft, BrowserSettings> = useApiForm<WebPageDraft, BrowserSettings>({
    initialValues: draftOf(settings),
    send: (draft) =>
      api('PUT', '/workspaces/:workspace_id/forms/:form_id/browser', {
        params: { workspace_id, form_id: id },
        body: settingsOf(settings, form.getInitialValues(), draft),
      }),
    onSuccess(saved) {
      // The secret is not kept, and the service may spell an origin in another way.
      const stored = draftOf(saved);
      form.setInitialValues(stored);
      form.setValues(stored);
      queryClient.setQueryData(browserQuery(workspace_id, id).queryKey, saved);
      toastDone('Saved. It applies within a second.');
    },
  });
  const adding = useAddedOrigin(form);
  const isDirty = form.isDirty() || adding.typed.trim() !== '';
  useUnsavedGuard(isDirty);
  const props = { form, stored: settings, isReadOnly };
  return (
    <SubmitForm
      form={{
        problem: form.problem,
        submit(event) {
          if (adding.isDone() && hasSecret(form, settings)) form.submit(event);
          else event.preventDefault();
        },
      }}
      gap="lg"
      {...(isReadOnly ? { className: 'readable' } : {})}
    >
      <Switch
        label="Accept leads from web pages"
        disabled={isReadOnly}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <OriginsInput {...props} {...adding} />
      <LocalhostSwitch {...props} />
      <ProtectionInput {...props} />
      <TokenLife {...props} />
      <NoScript {...props} />
      {isDirty && isOutdated(form, settings) && (
        <Alert color="yellow" role="status">
          Someone changed these settings in the meantime. Saving changes only what you have changed here.
        </Alert>
      )}
      {!isReadOnly && (
        <Group gap="xs">
          <Button type="submit" disabled={!isDirty} loading={form.mutation.isPending}>
            Save changes
          </Button>
          {isDirty && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => {
                form.reset();
                adding.onType('');
              }}
            >
              Discard changes
            </Button>
          )}
        </Group>
      )}
    </SubmitForm>
  );
}

/** The input for a new origin. Saving adds what is still in it, because it would be lost otherwise. */
function useAddedOrigin(form: DraftProps['form']) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const onAdd = () => {
    const added = withOrigin(form.getValues().origins, typed);
    if ('error' in added) {
      setError(added.error);
      return false;
    }
    form.setFieldValue('origins', added.origins);
    setTyped('');
    setError(null);
    return true;
  };
  return {
    typed,
    typedError: error,
    onType(text: string) {
      setTyped(text);
      setError(null);
    },
    onAdd,
    isDone: () => typed.trim() === '' || onAdd(),
  };
}

/** The service would keep the secret of the service that was chosen before. */
function hasSecret(form: DraftProps['form'], stored: BrowserSettings): boolean {
  const { protection, captcha } = form.getValues();
  if (!isCaptcha(protection) || captcha.secret !== '' || hasStoredSecret(form, stored)) return true;
  form.setFieldError('captcha.secret', `Enter the secret key of ${protectionNames[protection]}`);
  return false;
}

function isOutdated(form: DraftProps['form'], settings: BrowserSettings): boolean {
  return JSON.stringify(draftOf(settings)) !== JSON.stringify(form.getInitialValues());
}

function TokenLife({ form, isReadOnly }: DraftProps) {
  return (
    <NumberInput
      label="Token lifetime"
      description={`A token is created when the visitor submits, so ${tokenSeconds.default} seconds are usually enough. ${tokenSeconds.min} to ${tokenSeconds.max}.`}
      maw={340}
      min={tokenSeconds.min}
      max={tokenSeconds.max}
      clampBehavior="blur"
      allowDecimal={false}
      allowNegative={false}
      suffix=" seconds"
      readOnly={isReadOnly}
      {...form.getInputProps('ttl_s')}
      onChange={(value) => form.setFieldValue('ttl_s', Number(value))}
    />
  );
}

function NoScript({ form, isReadOnly }: DraftProps) {
  return (
    <Stack gap="xs">
      <Switch
        label="Accept the form without JavaScript"
        description="The browser posts the form directly, without a token and without protection. Such leads score as riskier, and at most 60 per hour from one network and 1,000 per day are accepted. A page with the policy no-referrer cannot use it."
        disabled={isReadOnly}
        {...form.getInputProps('no_script', { type: 'checkbox' })}
      />
      {form.values.no_script && (
        <TextInput
          label="Thank-you page"
          description="Where the browser goes afterwards, whether or not the lead was accepted."
          placeholder="https://www.example.com/thanks"
          inputMode="url"
          autoComplete="off"
          readOnly={isReadOnly}
          {...form.getInputProps('thanks_url')}
        />
      )}
    </Stack>
  );
}
