import { Alert, Stack, type StackProps } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type MutationMeta, type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { FormEventHandler, ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';

interface ApiFormOptions<Values, Answer> {
  /** Named like the fields of the API, so that errors appear at the right inputs. */
  readonly initialValues: Values;
  /** The fields whose errors the inputs show; all of them by default. */
  readonly inputs?: readonly string[];
  send(values: Values): Promise<Answer>;
  onSuccess?(answer: Answer): unknown;
  readonly meta?: MutationMeta;
}

export type ApiForm<Values, Answer = unknown> = UseFormReturnType<Values> & {
  readonly mutation: UseMutationResult<Answer, Error, void>;
  /** What went wrong, unless an input shows it. */
  readonly problem: string | undefined;
  readonly submit: FormEventHandler<HTMLFormElement>;
};

/** A form that is sent to the API. Field errors appear at their inputs, and a second click does nothing. */
export function useApiForm<Values extends Record<string, unknown>, Answer>(
  options: ApiFormOptions<Values, Answer>,
): ApiForm<Values, Answer> {
  const { initialValues, inputs = Object.keys(initialValues), send, onSuccess, meta } = options;
  const form = useForm<Values>({ initialValues });
  const mutation = useMutation({
    mutationFn: () => send(form.getValues()),
    onSuccess: (answer) => onSuccess?.(answer),
    onError: (error) => form.setErrors(fieldErrors(error)),
    ...(meta === undefined ? {} : { meta }),
  });
  return {
    ...form,
    mutation,
    problem: remainingProblem(mutation.error, inputs),
    submit: form.onSubmit(() => {
      if (!mutation.isPending) mutation.mutate();
    }),
    // Mantine's own keeps a flag per field, and misses a row that is added after another change was undone.
    isDirty: () => JSON.stringify(form.values) !== JSON.stringify(form.getInitialValues()),
    reset() {
      form.reset();
      mutation.reset();
    },
  };
}

interface SubmitFormProps extends StackProps {
  readonly form: Pick<ApiForm<unknown>, 'problem' | 'submit'>;
  readonly children: ReactNode;
}

/** The form element, with what went wrong above its inputs. */
export function SubmitForm({ form, children, ...stack }: SubmitFormProps) {
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" {...stack}>
        {form.problem && (
          <Alert color="red" role="alert">
            {form.problem}
          </Alert>
        )}
        {children}
      </Stack>
    </form>
  );
}

/** The API writes `fields[2].key` where the form has `fields.2.key`. */
function fieldErrors(error: Error): Record<string, string> {
  const errors = error instanceof ApiProblem ? error.errors : [];
  return Object.fromEntries(
    errors.map(({ field, message }) => [field.replaceAll(/\[(\d+)\]/g, '.$1'), message]),
  );
}

/** The errors that no input shows, or the problem as a whole if it names no fields. */
function remainingProblem(error: Error | null, inputs: readonly string[]): string | undefined {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return error?.message;
  const others = error.errors.filter(({ field }) => !inputs.includes(field.split(/[.[]/, 1)[0] ?? ''));
  return others.length === 0
    ? undefined
    : others.map(({ field, message }) => `${field}: ${message}`).join('; ');
}
