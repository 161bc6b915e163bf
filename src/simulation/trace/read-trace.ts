import { isHeader, jsonLines, notARecording } from '../../recording/read-lines.ts';
import { isChange, type RecordedLine, type RecordingHeader } from '../../recording/recording-lines.ts';
import { resourceOfObject } from '../../recording/resource-of-object.ts';
import { AuditTrace, isAuditLine } from './audit-trace.ts';
import type { ClusterTrace } from './cluster-trace.ts';
import { buildTrace } from './trace-builder.ts';
import type { FoundEvent } from './trace-order.ts';

/**
 * Reads what happened in a cluster: a file of `berth record`, or an audit log of an API server.
 *
 * @throws CodedError `NotARecording` with file and line; `InvalidSyntax` for damaged data
 */
export async function readTrace(chunks: AsyncIterable<Uint8Array>, file: string): Promise<ClusterTrace> {
  const lines = jsonLines(chunks, file, true);
  const { value: first, done } = await lines.next();
  if (done) throw notARecording(file, 'is empty');
  if (isHeader(first, file)) return recordedTrace(first, lines as AsyncIterable<RecordedLine>);
  if (!isAuditLine(first)) {
    throw notARecording(file, 'is neither a recording (berth record) nor an audit log of an API server');
  }
  const audit = new AuditTrace();
  audit.take(first);
  for await (const line of lines) audit.take(line);
  return audit.trace(file);
}

/** Reads the lines behind the header of a recording. */
async function recordedTrace({ time }: RecordingHeader, lines: AsyncIterable<RecordedLine>): Promise<ClusterTrace> {
  const startMillis = Date.parse(time);
  let endMillis = startMillis;
  const found: FoundEvent[] = [];
  /** The objects of first lists, and those of lists that have not ended. */
  const first = new Map<string, FoundEvent>();
  const listed = new Map<string, FoundEvent[]>();
  const complete = new Set<string>();
  let gapCount = 0;
  for await (const line of lines) {
    const atMillis = Date.parse(line.time);
    endMillis = Math.max(endMillis, atMillis);
    if (line.type === 'BOOKMARK' && line.listed) {
      const late = listed.get(line.resource) ?? [];
      listed.delete(line.resource);
      if (complete.has(line.resource))
        found.push(...late.map((event) => ({ ...event, version: line.resourceVersion })));
      else for (const event of late) setFirst(first, event);
      gapCount += complete.has(line.resource) ? late.length : 0;
      complete.add(line.resource);
    }
    if (!isChange(line)) continue;
    const { type, object } = line;
    const resource = resourceOfObject(object);
    if (resource === undefined) continue;
    const event = { atMillis, type, resource, object, version: object.metadata?.resourceVersion ?? '' };
    if (!line.listed) found.push(event);
    else if (listed.get(resource)?.push(event) === undefined) listed.set(resource, [event]);
  }
  const warnings =
    gapCount === 0 ? [] : [`${gapCount} changes were missed by the recorder and found later: their times are too late`];
  const objects = [...first.values()].map((event) => ({ ...event, atMillis: startMillis }));
  return buildTrace(found, { startMillis, endMillis, objects, warnings });
}

function setFirst(first: Map<string, FoundEvent>, event: FoundEvent): void {
  const { namespace = '', name } = event.object.metadata ?? {};
  const key = `${event.resource} ${namespace}/${name}`;
  if (event.type === 'DELETED') first.delete(key);
  else first.set(key, event);
}
