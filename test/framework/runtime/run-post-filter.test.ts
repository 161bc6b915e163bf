import { describe, expect, test } from 'vitest';
import { withoutExtenderCalls } from '../../../src/framework/extender-calls.ts';
import type { PostFilterPlugin } from '../../../src/framework/plugin.ts';
import { notHelped, type PostFilterContext, type PostFilterOutcome } from '../../../src/framework/post-filter.ts';
import { runPostFilter as runWithExtenders } from '../../../src/framework/runtime/run-post-filter.ts';
import { errorStatus, type Status, unresolvable, unschedulable } from '../../../src/framework/status.ts';

const plugin = (name: string, outcome: PostFilterOutcome): PostFilterPlugin => ({ name, postFilter: () => outcome });
const context = {} as PostFilterContext;
const runPostFilter = (plugins: readonly PostFilterPlugin[], context: PostFilterContext): PostFilterOutcome =>
  withoutExtenderCalls(runWithExtenders(plugins, context, null));
const success: Status = { code: 'Success', reasons: [], plugin: 'second' };

describe('runPostFilter', () => {
  const first = plugin('first', notHelped(unschedulable('first', 'no a')));

  test('collects the reasons of plugins that could not help', () => {
    const second = plugin('second', { ...notHelped(unschedulable('second', 'no b')), nominatedNodeName: '' });
    const { status, nominatedNodeName } = runPostFilter([first, second], context);
    expect(status).toEqual(unschedulable('first', 'no a', 'no b'));
    expect(nominatedNodeName).toBe('');
  });

  test('ends with the first success', () => {
    const second = plugin('second', { ...notHelped(success), nominatedNodeName: 'n1' });
    const third = plugin('third', notHelped(errorStatus('third', 'never called')));
    expect(runPostFilter([first, second, third], context)).toMatchObject({ status: success, nominatedNodeName: 'n1' });
  });

  test('ends when a plugin gives up for good, or fails: then its words stand alone', () => {
    const final = plugin('final', notHelped(unresolvable('final', 'hopeless')));
    expect(runPostFilter([first, final, first], context).status).toEqual(unresolvable('final', 'hopeless'));
    const broken = plugin('broken', { ...notHelped(errorStatus('', 'not found')), nominatedNodeName: 'n1' });
    expect(runPostFilter([first, broken, first], context)).toEqual(notHelped(errorStatus('broken', 'not found')));
  });
});
