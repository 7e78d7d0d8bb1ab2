import type { SignatureDebugAnswer } from '../../../src/contract/signature-debug.ts';

interface ReportContext {
  /** Where the sender sends to; undefined if the form is unknown. */
  readonly url: string | undefined;
  readonly language: {
    readonly name: keyof NonNullable<SignatureDebugAnswer['fix']>['code'];
    readonly title: string;
  };
}

const judgedTexts: Record<SignatureDebugAnswer['judged_by'], string> = {
  rejection: 'when the request arrived',
  received_at: 'time of arrival as entered',
  date_header: 'Date header of the request',
  now: 'time of this check',
};

/** A signature that is no digest may be anything, even a secret in the wrong place. */
const digestCharactersMin = 32;

/**
 * A text for the person who fixes the sender, who may put it in a ticket. It has no secret and nothing of the body, which
 * may be personal data; the signature is shortened.
 */
export function reportOf(answer: SignatureDebugAnswer, { url, language }: ReportContext): string {
  const { mistake, further_mistakes, fix } = answer;
  const found = [...(mistake === null ? [] : [mistake]), ...further_mistakes];
  const paragraphs = [
    ['Signature report', answer.verdict],
    facts(answer, url),
    found.length === 0 ? [] : ['Found:', ...found.map(({ code, text }) => `- ${code}: ${text}`)],
    ['Checks:', ...answer.checks.map(({ status, text }) => `- ${status.replace('_', ' ')}: ${text}`)],
    found.length === 0 ? [] : ['How to fix it:', ...found.map((each) => `- ${each.fix}`)],
  ];
  const code = fix === null ? [] : [`In ${language.title}:\n\n${fix.code[language.name]}`];
  return [
    ...paragraphs.filter(({ length }) => length > 0).map((lines) => lines.map(oneLine).join('\n')),
    ...code,
  ]
    .join('\n\n')
    .concat('\n');
}

function facts(answer: SignatureDebugAnswer, url: string | undefined): string[] {
  const { clock, signature, request_id, string_to_sign: toSign } = answer;
  return [
    ...(url === undefined ? [] : [`URL: ${url}`]),
    ...(request_id === null ? [] : [`Request ID: ${request_id}`]),
    `Timestamp: ${clock?.timestamp ?? 'shows no time'}`,
    `Compared to: ${answer.judged_at} (${judgedTexts[answer.judged_by]})`,
    ...(clock === null
      ? []
      : [`Clock drift: ${clock.drift_seconds} s (${clock.text}), allowed: ±${clock.tolerance_seconds} s`]),
    `Signature: ${signatureText(signature)}`,
    `String to sign: ${toSign.bytes} bytes, of which ${toSign.body_bytes} are the body`,
  ];
}

function signatureText(signature: SignatureDebugAnswer['signature']): string {
  if (signature === null) return 'not sent';
  const { shortened, characters } = signature;
  const isShown = characters >= digestCharactersMin;
  return `${isShown ? `${shortened}, ` : ''}${characters} characters`;
}

/** A quoted header must not look like a line of the report, or turn its direction. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
