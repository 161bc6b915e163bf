/**
 * Lets calls about the same object follow each other: each begins when the one before it has been answered, as if one
 * caller waited. Calls about different objects do not wait.
 */
export class CallsInOrder {
  /** The last call of each object that has not been answered. */
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(key: string, call: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const answer = before === undefined ? call() : before.then(call, call);
    this.#last.set(key, answer);
    const forget = (): void => {
      if (this.#last.get(key) === answer) this.#last.delete(key);
    };
    answer.then(forget, forget);
    return answer;
  }
}
