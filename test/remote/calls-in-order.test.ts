import { expect, it } from 'vitest';
import { CallsInOrder } from '../../src/remote/calls-in-order.ts';

/** Calls that are answered when the test says so. */
class Calls {
  readonly begun: string[] = [];
  readonly #answers = new Map<string, (isRefused: boolean) => void>();

  call(name: string): () => Promise<string> {
    return () => {
      this.begun.push(name);
      return new Promise((resolve, reject) => {
        this.#answers.set(name, (isRefused) => (isRefused ? reject(new Error(name)) : resolve(name)));
      });
    };
  }

  async answer(name: string, isRefused = false): Promise<void> {
    this.#answers.get(name)?.(isRefused);
    for (let i = 0; i < 5; i++) await null;
  }
}

it('begins a call when the one before it about the same object was answered', async () => {
  const inOrder = new CallsInOrder();
  const calls = new Calls();
  const answers = [
    inOrder.run('a', calls.call('a1')).catch(() => 'refused'),
    inOrder.run('a', calls.call('a2')),
    inOrder.run('b', calls.call('b1')),
    inOrder.run('a', calls.call('a3')),
  ];
  expect(calls.begun).toEqual(['a1', 'b1']);
  await calls.answer('a1', true);
  expect(calls.begun).toEqual(['a1', 'b1', 'a2']);
  await calls.answer('a2');
  await calls.answer('a3');
  await calls.answer('b1');
  expect(await Promise.all(answers)).toEqual(['refused', 'a2', 'b1', 'a3']);
});

it('does not wait when nothing is open', async () => {
  const inOrder = new CallsInOrder();
  const calls = new Calls();
  const first = inOrder.run('a', calls.call('a1'));
  await calls.answer('a1');
  await first;
  void inOrder.run('a', calls.call('a2'));
  expect(calls.begun).toEqual(['a1', 'a2']);
});
