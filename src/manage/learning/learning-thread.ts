import { AskedThread } from '../calls/asked-thread.ts';
import type { LearningAnswer, LearningQuestion } from './learning-worker.ts';

export interface LearningThread {
  ask(question: LearningQuestion): Promise<LearningAnswer>;
}

/** Reads leads and weighs their words, which would take too long on the thread that serves requests. */
export function learningThread(): LearningThread {
  return new AskedThread('learning-worker', import.meta);
}
