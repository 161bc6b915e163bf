import { CodedError } from '../lib/errors.ts';
import type { KubeConnection } from '../remote/connection/kube-connection.ts';

/** One thing that a caller may be allowed to do. */
export interface Right {
  readonly verb: string;
  /** The API group; '' for the core. */
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  /** Absent: in all namespaces. */
  readonly namespace?: string | undefined;
  /** Absent: all objects. */
  readonly name?: string | undefined;
}

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

interface Review {
  readonly status?: { readonly allowed?: boolean };
}

/**
 * Asks the API server about each right, so that what is missing is said once and at the beginning, and not by requests
 * that fail later.
 *
 * @throws CodedError `Forbidden`, which names what is missing
 */
export async function checkRights(connection: KubeConnection, rights: readonly Right[]): Promise<void> {
  const reviews = await Promise.all(
    rights.map(async (resourceAttributes) => {
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      };
      return connection.request<Review>({ method: 'POST', path: PATH, body });
    }),
  );
  const missing = rights.filter((_, i) => reviews[i]?.status?.allowed !== true);
  if (missing.length === 0) return;
  throw new CodedError('Forbidden', `rights are missing: ${missing.map(textOf).join(', ')}`);
}

/** `list pods`, `create pods/binding`, `update leases.coordination.k8s.io kube-scheduler in kube-system`. */
function textOf({ verb, group, resource, subresource, namespace, name }: Right): string {
  const what = `${group === '' ? resource : `${resource}.${group}`}${subresource ? `/${subresource}` : ''}`;
  return `${verb} ${what}${name ? ` ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;
}
