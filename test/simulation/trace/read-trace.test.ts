import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ClusterTrace, TraceEvent } from '../../../src/simulation/trace/cluster-trace.ts';
import { readTrace } from '../../../src/simulation/trace/read-trace.ts';

async function read(lines: readonly (object | string)[]): Promise<ClusterTrace> {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  return readTrace(
    (async function* () {
      yield gzipSync(text);
    })(),
    'trace.gz',
  );
}

const HEADER = { format: 'berth-cluster-recording', version: 1, berth: '0', time: '2026-01-01T00:00:00.000Z' };
const at = (seconds: number) => `2026-01-01T00:00:${seconds.toFixed(3).padStart(6, '0')}Z`;
const node = (version: string, more = {}) => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'n', resourceVersion: version } },
  ...more,
});
const pod = (version: string, nodeName?: string, more = {}) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'd', uid: 'p', resourceVersion: version } },
  ...{ spec: { nodeName }, ...more },
});
const bookmark = (resource: string, resourceVersion: string) => ({
  ...{ time: at(1), type: 'BOOKMARK', resource, resourceVersion, listed: true },
});
const shown = ({ type, resource, atMillis }: TraceEvent) => `${atMillis - Date.parse(HEADER.time)} ${type} ${resource}`;
const events = ({ moments }: ClusterTrace) => moments.flatMap((moment) => moment.events.map(shown));

describe('a recording as a trace', () => {
  it('has events in the order of their versions, none later than what came after it', async () => {
    const trace = await read([
      HEADER,
      { time: at(1), type: 'ADDED', listed: true, object: node('3') },
      bookmark('nodes', '5'),
      bookmark('pods', '5'),
      { time: at(2), type: 'ADDED', object: pod('6') },
      { time: at(3), type: 'MODIFIED', object: pod('8', 'n') },
      { time: at(9), type: 'MODIFIED', object: node('7', { spec: { unschedulable: true } }) },
    ]);
    expect(trace.objects.map(shown)).toEqual(['0 ADDED nodes']);
    expect(events(trace)).toEqual(['2000 ADDED pods', '3000 MODIFIED nodes', '3000 MODIFIED pods']);
    expect(trace.pods.get('p')?.bound).toEqual({ node: 'n', atMillis: Date.parse(at(3)) });
    expect(trace.endMillis).toBe(Date.parse(at(9)));
  });

  it('leaves out heartbeats of nodes, and says what was found late', async () => {
    const heartbeat = (time: string) => ({ status: { conditions: [{ type: 'Ready', status: 'True', time }] } });
    const trace = await read([
      HEADER,
      { time: at(1), type: 'ADDED', listed: true, object: node('3', heartbeat('1')) },
      bookmark('nodes', '5'),
      { time: at(2), type: 'MODIFIED', object: node('6', heartbeat('2')) },
      { time: at(8), type: 'DELETED', listed: true, object: node('6') },
      bookmark('nodes', '9'),
    ]);
    expect(events(trace)).toEqual(['8000 DELETED nodes']);
    expect(trace.warnings).toEqual([expect.stringMatching(/^1 changes were missed/)]);
  });

  it('ends where its writer was killed', async () => {
    const lines = [HEADER, { time: at(2), type: 'ADDED', object: node('6') }, '{"time":'];
    const text = gzipSync(
      lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''),
    );
    const trace = await readTrace(
      (async function* () {
        yield text.subarray(0, text.length - 4);
      })(),
      'x',
    );
    expect(events(trace)).toEqual(['2000 ADDED nodes']);
  });

  it('is nothing else', async () => {
    await expect(read([])).rejects.toThrow('trace.gz: is empty');
    await expect(read(['{'])).rejects.toThrow('trace.gz: line 1 is not JSON');
    await expect(read([{ kind: 'List' }])).rejects.toThrow('trace.gz: is neither a recording');
    await expect(read([{ ...HEADER, version: 2 }])).rejects.toThrow('has version 2, not 1');
  });
});

/** A line of an audit log. */
const audited = (seconds: number, verb: string, ref: object, bodies: object = {}, code = 200) => ({
  ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'RequestResponse', stage: 'ResponseComplete', verb },
  objectRef: { apiVersion: 'v1', ...ref },
  ...{ responseStatus: { code }, stageTimestamp: at(seconds), ...bodies },
});
const PODS = { resource: 'pods', namespace: 'd', name: 'p' };

describe('an audit log as a trace', () => {
  it('has what was created, bound and deleted', async () => {
    const deleting = { ...pod('4', 'n').metadata, deletionTimestamp: at(5), deletionGracePeriodSeconds: 30 };
    const trace = await read([
      audited(1, 'create', { resource: 'nodes', name: 'n' }, { responseObject: node('1') }, 201),
      audited(2, 'create', PODS, { responseObject: pod('2') }, 201),
      audited(3, 'create', { ...PODS, subresource: 'binding' }, { requestObject: { target: { name: 'n' } } }, 201),
      audited(4, 'create', PODS, { responseObject: pod('2') }, 409),
      audited(5, 'delete', PODS, { responseObject: { ...pod('4', 'n'), metadata: deleting } }),
      audited(6, 'delete', PODS, {
        responseObject: { ...pod('5', 'n'), metadata: { ...deleting, deletionGracePeriodSeconds: 0 } },
      }),
      audited(7, 'delete', { resource: 'nodes', name: 'n' }, { responseObject: { kind: 'Status', status: 'Success' } }),
    ]);
    expect(events(trace)).toEqual(
      [
        ...['0 ADDED nodes', '1000 ADDED pods', '2000 MODIFIED pods', '4000 MODIFIED pods', '5000 DELETED pods'],
        '6000 DELETED nodes',
      ].map((text) => text.replace(/^\d+/, (millis) => String(Number(millis) + 1000))),
    );
    expect(trace.pods.get('p')?.bound?.node).toBe('n');
    expect(trace.warnings).toEqual([]);
  });

  it('counts the writes whose answers it does not have', async () => {
    const trace = await read([
      audited(1, 'create', { resource: 'nodes', name: 'n' }, { responseObject: node('1') }, 201),
      audited(2, 'create', PODS, { level: 'Metadata' }, 201),
      audited(3, 'list', PODS, { level: 'Metadata' }),
    ]);
    expect(trace.warnings).toEqual(['1 writes of the log were left out: their answers are not in it']);
    await expect(read([audited(2, 'create', PODS, { level: 'Metadata' }, 201)])).rejects.toThrow('1 are without');
  });
});
