import { expect, it } from 'vitest';
import { eventually } from '../../src/framework/eventually.ts';

it('returns the value of work that ends at once', () => {
  expect(eventually<string | null>((done) => done(null))).toBeNull();
  expect(eventually<string | null>((done) => done('failed'))).toBe('failed');
});

it('begins work at once that ends later, and waits for it', () => {
  let end: (value: string) => void = () => {};
  const answer = eventually<string>((done) => {
    end = done;
  });
  const taken: string[] = [];
  if (typeof answer !== 'function') expect.unreachable();
  else answer((value) => taken.push(value));
  expect(taken).toEqual([]);
  end('late');
  expect(taken).toEqual(['late']);
});

it('keeps a value that came before anybody asked', () => {
  let end: (value: string) => void = () => {};
  const answer = eventually<string>((done) => {
    end = done;
  });
  end('early');
  const taken: string[] = [];
  if (typeof answer === 'function') answer((value) => taken.push(value));
  expect(taken).toEqual(['early']);
});
