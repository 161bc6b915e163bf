/** A recorded request; `body` is sent as JSON, `bodyText` as it is. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  /** Absent: `application/json` if there is a body; empty: no header. */
  readonly contentType?: string;
  readonly body?: unknown;
  readonly bodyText?: string;
}

export interface RecordedResponse {
  readonly status: number;
  readonly contentType?: string;
  /** The Warning headers in order. */
  readonly warning?: readonly string[];
  readonly body?: unknown;
  readonly bodyText?: string;
}

export interface Until {
  readonly status: number;
  readonly condition?: Readonly<Record<string, unknown>>;
}

export type ApiStep =
  | { readonly request: RecordedRequest; readonly response: RecordedResponse }
  | {
      readonly watch: { readonly path: string; readonly accept?: string };
      readonly open: string;
      readonly status: number;
    }
  | { readonly close: string; readonly events: readonly unknown[]; readonly ended?: boolean }
  | { readonly wait: RecordedRequest; readonly until: Until; readonly response: RecordedResponse }
  | { readonly pause: number };

/** A recorded conversation with kube-apiserver. */
export interface ApiCase {
  readonly name: string;
  readonly feature: string;
  readonly steps: readonly ApiStep[];
}

export function isApiCase(recorded: object): recorded is ApiCase {
  return 'feature' in recorded && 'steps' in recorded && !('kind' in recorded);
}
