import { dayMs } from '../../time/clock.ts';

const mebibyte = 1024 ** 2;

/** Of a workspace. One form may use half of it. */
export const provenRoom = { rows: 20_000, bytes: 64 * mebibyte };
/** Strangers fill it at will, so the oldest make room for new ones, and none of it is taken from the room of senders. */
export const unprovenRoom = { rows: 200, bytes: 8 * mebibyte };
/** Of all workspaces together. */
export const unprovenBytesMax = 256 * mebibyte;
export const heldBytesMaxDefault = 2 * 1024 * mebibyte;
/** Once half of the room of all workspaces is used, those with more than this part of it keep no more. */
export const fairPart = 1 / 64;

export const heldDaysDefault = 14;
export const heldDaysMax = 30;
export const unprovenKeptDays = 3;
/** A token that expired longer ago is treated like one that was revoked. */
export const expiredTokenMsMax = 7 * dayMs;

/** Of requests that can never be a lead, per form. */
export const noLeadPerHour = 20;
/** Of requests of forms without script, per form: nothing but a header says where they come from. */
export const noScriptPerHour = 60;
/** Of requests that are not proven, per workspace. */
export const unprovenPerMinute = 100;

/** In memory, until they are written. */
export const waitingBytesMax = 8 * mebibyte;
export const unprovenWaitingBytesMax = 4 * mebibyte;
/** More than this is written without waiting for the next second. */
export const hurryingBytes = mebibyte;
/** In one transaction. */
export const writtenBytesMax = 2 * mebibyte;

/** Requests that were not kept are shown for as long. */
export const missedCountedDays = 14;
