/** Where a request goes: to one of the server's own paths, or to resources. */
export type RequestPath =
  | { readonly to: 'fixed'; readonly path: string }
  /** `group` undefined: the list of all groups. */
  | { readonly to: 'group'; readonly group: string }
  | { readonly to: 'version'; readonly group: string; readonly version: string }
  | ResourcePath;

export interface ResourcePath {
  readonly to: 'resource';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** '' where the path names none. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** Whether it is one of the old paths for watches, `/api/v1/watch/pods`. */
  readonly isWatch: boolean;
  /** Whether something follows that no resource has. */
  readonly hasMore: boolean;
}

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** Parses the path of a URL, without its query. Undefined for a path that cannot be decoded. */
export function parsePath(path: string): RequestPath | undefined {
  const decoded = decodedPath(path);
  if (decoded === undefined) return undefined;
  const parts = decoded.split('/').slice(1);
  if (parts.length > 1 && parts[parts.length - 1] === '') parts.pop();
  const [first, ...rest] = parts;
  if (first === 'api' && rest.length > 0) return inVersion('', rest[0] as string, rest.slice(1));
  if (first === 'apis' && rest.length === 1) return { to: 'group', group: rest[0] as string };
  if (first === 'apis' && rest.length > 1) return inVersion(rest[0] as string, rest[1] as string, rest.slice(2));
  return { to: 'fixed', path: `/${parts.join('/')}` };
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function inVersion(group: string, version: string, rest: readonly string[]): RequestPath {
  if (rest.length === 0) return { to: 'version', group, version };
  const isWatch = rest[0] === 'watch';
  const parts = isWatch ? rest.slice(1) : rest;
  const at = { to: 'resource', group, version, isWatch } as const;
  const [resource = '', name = '', third = ''] = parts;
  if (resource === 'namespaces' && parts.length > 2 && !(parts.length === 3 && NAMESPACE_SUBRESOURCES.has(third))) {
    const [inner = '', innerName = '', subresource = ''] = parts.slice(2);
    const hasMore = parts.length > 5;
    return { ...at, resource: inner, namespace: name, name: innerName, subresource, hasMore };
  }
  return { ...at, resource, namespace: '', name, subresource: third, hasMore: parts.length > 3 };
}
