import type { KubernetesObject } from '../api/meta.ts';

/** What the first line of a recording of a cluster says of the file. */
export const RECORDING_FORMAT = 'berth-cluster-recording';
export const RECORDING_VERSION = 1;

/** The first line. */
export interface RecordingHeader {
  readonly format: typeof RECORDING_FORMAT;
  readonly version: typeof RECORDING_VERSION;
  /** The version of Berth that began the recording. */
  readonly berth: string;
  /** When it was begun. */
  readonly time: string;
  /** Names were replaced. */
  readonly anonymised?: true;
}

/** A change of an object, as a watch reports it. */
export interface ChangeLine {
  /** When the recorder heard of the change. */
  readonly time: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The change was found by a list: the object was there at the beginning, or changes were missed. */
  readonly listed?: true;
  /** The new state; a deleted object has only its apiVersion, its kind, and the metadata that identify it. */
  readonly object: KubernetesObject;
}

/** The recorder has seen all of a resource up to this version. */
export interface BookmarkLine {
  readonly time: string;
  readonly type: 'BOOKMARK';
  readonly resource: string;
  readonly resourceVersion: string;
  /** The version is that of the list whose objects stand before this line. */
  readonly listed?: true;
}

/** Between these two nobody recorded. */
export interface PauseLine {
  readonly time: string;
  readonly type: 'STOPPED' | 'RESUMED';
}

export type RecordedLine = ChangeLine | BookmarkLine | PauseLine;

export function isChange(line: RecordedLine): line is ChangeLine {
  return 'object' in line;
}
