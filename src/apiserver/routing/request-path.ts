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
  // What comes before the first slash is no part of the path.
  const parts = decoded.split('/');
  if (parts.length > 2 && parts[parts.length - 1] === '') parts.pop();
  const [, first, second = '', third = ''] = parts;
  if (first === 'api' && parts.length > 2) return inVersion('', second, parts, 3);
  if (first === 'apis' && parts.length === 3) return { to: 'group', group: second };
  if (first === 'apis' && parts.length > 3) return inVersion(second, third, parts, 4);
  return { to: 'fixed', path: `/${parts.slice(1).join('/')}` };
}

function decodedPath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** `start`: where in the parts the path goes on behind the version. */
function inVersion(group: string, version: string, parts: readonly string[], start: number): RequestPath {
  if (parts.length === start) return { to: 'version', group, version };
  const isWatch = parts[start] === 'watch';
  const at = isWatch ? start + 1 : start;
  const count = parts.length - at;
  const [resource = '', name = '', third = ''] = [parts[at], parts[at + 1], parts[at + 2]];
  const isInside = resource === 'namespaces' && count > 2 && !(count === 3 && NAMESPACE_SUBRESOURCES.has(third));
  const [inner, namespace] = isInside ? [at + 2, name] : [at, ''];
  return {
    to: 'resource',
    group,
    version,
    isWatch,
    resource: parts[inner] ?? '',
    namespace,
    name: parts[inner + 1] ?? '',
    subresource: parts[inner + 2] ?? '',
    hasMore: parts.length > inner + 3,
  };
}
