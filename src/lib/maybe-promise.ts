import { assert } from './assert.ts';

/** A value that is there at once, or comes later. A refusal is thrown, or rejects the promise. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Work that waits for values that may come later, written as an async function would be. Unlike that it does not leave
 * the current task before it meets a promise, so work whose values are all there ends at once.
 */
export type Awaiting<T> = Generator<Promise<unknown>, T, unknown>;

/** Receives the end of a call or of work: its result, or what it threw. */
export interface AnswerEnd<T> {
  done(result: T): void;
  failed(error: unknown): void;
}

/** Makes the call, and passes its answer on: before this returns, or when its promise is settled. */
export function whenAnswered<T>(call: () => MaybePromise<T>, { done, failed }: AnswerEnd<T>): void {
  let answer: MaybePromise<T>;
  try {
    answer = call();
  } catch (error) {
    failed(error);
    return;
  }
  if (answer instanceof Promise) answer.then(done, failed);
  else done(answer);
}

/** Waits for the value inside of work: `yield* awaited(value)`. */
export function* awaited<T>(value: MaybePromise<T>): Awaiting<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs work whose values are all there, and returns its result. */
export function runAtOnce<T>(work: Awaiting<T>): T {
  const step = work.next();
  assert(step.done === true, 'nothing in this work comes later');
  return step.value;
}

/** Runs the work to its end, which comes before this returns if no promise is in its way. */
export function runAwaiting<T>(work: Awaiting<T>, end: AnswerEnd<T>): void {
  let step: IteratorResult<Promise<unknown>, T>;
  try {
    step = work.next();
  } catch (error) {
    end.failed(error);
    return;
  }
  endOrAwait(work, step, end);
}

/** Ends work of which the first step is made, or goes on with it when what it waits for is there. */
export function endOrAwait<T>(work: Awaiting<T>, step: IteratorResult<Promise<unknown>, T>, end: AnswerEnd<T>): void {
  if (step.done) end.done(step.value);
  else awaitStep(work, step.value, end);
}

/** Goes on with the work when the promise is settled. Most work never comes here, and needs no functions. */
function awaitStep<T>(work: Awaiting<T>, promise: Promise<unknown>, end: AnswerEnd<T>): void {
  const goOn = (resume: () => IteratorResult<Promise<unknown>, T>): void => {
    let step: IteratorResult<Promise<unknown>, T>;
    try {
      step = resume();
    } catch (error) {
      end.failed(error);
      return;
    }
    if (step.done) end.done(step.value);
    else awaitStep(work, step.value, end);
  };
  promise.then(
    (value) => goOn(() => work.next(value)),
    (error: unknown) => goOn(() => work.throw(error)),
  );
}
