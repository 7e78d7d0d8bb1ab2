import {
  type DummyKind,
  dummyFormIds,
  dummyKindOf,
  dummyWorkspaceId,
} from '../../../domain/browser/dummy-keys.ts';
import type { MintRefusal } from '../../../domain/browser/mint/mint-outcome.ts';
import { normalOrigin } from '../../../domain/browser/origin.ts';
import { type Protection, tokenSeconds } from '../../../domain/browser/protection.ts';
import { allowsOrigin, type BrowserEntry } from '../../directory/browser-entry.ts';
import type { Directory, FormEntry } from '../../directory/directory.ts';

/** What challenges and tokens are issued for: a form, or a dummy key, which belongs to none. */
export interface Issuer {
  readonly workspaceId: string;
  readonly formId: string;
  readonly form: FormEntry | null;
  readonly dummy: DummyKind | null;
  readonly protection: Protection;
  readonly captcha: BrowserEntry['captcha'];
  readonly epoch: number;
  readonly ttlSeconds: number;
  readonly allows: (origin: string, at: number) => boolean;
}

/** Why a request is refused, and the form whose owner is told so. */
export class Refused {
  readonly reason: MintRefusal;
  readonly form: FormEntry | null;

  constructor(reason: MintRefusal, form: FormEntry | null) {
    this.reason = reason;
    this.form = form;
  }
}

type Known = Pick<Directory, 'workspace' | 'form' | 'formByPublicKey'>;

export function issuerByKey(directory: Known, key: string): Issuer | Refused {
  const dummy = dummyKindOf(key);
  return dummy === null ? issuerOf(directory, directory.formByPublicKey(key)) : dummyIssuers[dummy];
}

/** For a challenge that was issued before. */
export function issuerById(directory: Known, workspaceId: string, formId: string): Issuer | Refused {
  if (workspaceId === dummyWorkspaceId)
    return dummies.find((dummy) => dummy.formId === formId) ?? new Refused('form_unknown', null);
  const form = directory.form(formId);
  const isIts = form !== null && form.workspaceId === workspaceId && !form.isDeleted;
  return issuerOf(directory, isIts ? form : null);
}

function issuerOf(directory: Known, form: FormEntry | null): Issuer | Refused {
  if (form === null) return new Refused('form_unknown', null);
  const { workspaceId, browser } = form;
  if (directory.workspace(workspaceId)?.isSuspended !== false)
    return new Refused('workspace_suspended', form);
  if (!form.isActive) return new Refused('form_inactive', form);
  if (browser === null || !browser.isEnabled) return new Refused('browser_disabled', form);
  const { protection, captcha, epoch, ttlSeconds } = browser;
  const allows = (origin: string, at: number) => allowsOrigin(browser, origin, at);
  const settings = { protection, captcha, epoch, ttlSeconds, allows };
  return { workspaceId, formId: form.id, form, dummy: null, ...settings };
}

const dummyIssuers = {
  accepted: dummyIssuer('accepted'),
  rejected: dummyIssuer('rejected'),
  spent: dummyIssuer('spent'),
};
const dummies = Object.values(dummyIssuers);

function dummyIssuer(dummy: DummyKind): Issuer {
  return {
    workspaceId: dummyWorkspaceId,
    formId: dummyFormIds[dummy],
    form: null,
    dummy,
    protection: 'work',
    captcha: null,
    epoch: 1,
    ttlSeconds: tokenSeconds.default,
    // Any page, as long as it is one.
    allows: (origin) => normalOrigin(origin) === origin && !origin.includes('*'),
  };
}

/** Null if the page may have what it asks for, as far as its origin is concerned. */
export function originRefusal(issuer: Issuer, origin: string | null, at: number): Refused | null {
  if (origin === null) return new Refused('origin_missing', issuer.form);
  return issuer.allows(origin, at) ? null : new Refused('origin_not_allowed', issuer.form);
}
