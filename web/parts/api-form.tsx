import { Alert, Stack, type StackProps } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type MutationMeta, type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { FormEventHandler, ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';

interface ApiFormOptions<Values, Answer> {
  /** Named as the API names its fields, so that their errors find their inputs. */
  readonly initialValues: Values;
  /** The fields whose errors the inputs show; all of them, unless it is said. */
  readonly inputs?: readonly string[];
  send(values: Values): Promise<Answer>;
  onSuccess?(answer: Answer): unknown;
  readonly meta?: MutationMeta;
}

export type ApiForm<Values, Answer = unknown> = UseFormReturnType<Values> & {
  readonly mutation: UseMutationResult<Answer, Error, void>;
  /** What went wrong and belongs to no input. */
  readonly problem: string | undefined;
  readonly submit: FormEventHandler<HTMLFormElement>;
};

/** A form that is sent to the API. Errors of fields appear at their inputs, and a second click does nothing. */
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
    // Mantine's own remembers each field by itself, and misses a row that was added after a change was taken back.
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

/** The problem as a whole, unless each of its errors belongs to an input. */
function remainingProblem(error: Error | null, inputs: readonly string[]): string | undefined {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return error?.message;
  const others = error.errors.filter(({ field }) => !inputs.includes(field.split(/[.[]/, 1)[0] ?? ''));
  return others.length === 0
    ? undefined
    : others.map(({ field, message }) => `${field}: ${message}`).join('; ');
}
