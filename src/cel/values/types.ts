/** The types of expressions. `any` accepts and gives every type, and unlike `dyn` is no range of a macro. */
export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'object'
  | 'opaque'
  | 'string'
  | 'timestamp'
  | 'type'
  | 'typeParam'
  | 'uint';

/** A type; `parameters` are the element type of a list, key and value types of a map, and the like. */
export class CelType {
  readonly kind: TypeKind;
  /** The name as values of type `type` show it. */
  readonly name: string;
  readonly parameters: readonly CelType[];

  constructor(kind: TypeKind, name: string, parameters: readonly CelType[] = []) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
  }
}

export const ANY = new CelType('any', 'google.protobuf.Any');
export const BOOL = new CelType('bool', 'bool');
export const BYTES = new CelType('bytes', 'bytes');
export const DOUBLE = new CelType('double', 'double');
export const DURATION = new CelType('duration', 'google.protobuf.Duration');
export const DYN = new CelType('dyn', 'dyn');
export const ERROR = new CelType('error', '*error*');
export const INT = new CelType('int', 'int');
export const NULL = new CelType('null', 'null_type');
export const STRING = new CelType('string', 'string');
export const TIMESTAMP = new CelType('timestamp', 'google.protobuf.Timestamp');
export const UINT = new CelType('uint', 'uint');
/** The types of list, map and type values at run time, where parameters are not known. */
export const LIST = new CelType('list', 'list', [DYN]);
export const MAP = new CelType('map', 'map', [DYN, DYN]);
export const TYPE = new CelType('type', 'type');
export const OPTIONAL = new CelType('opaque', 'optional_type', [DYN]);

export function listOf(element: CelType): CelType {
  return new CelType('list', 'list', [element]);
}

export function mapOf(key: CelType, value: CelType): CelType {
  return new CelType('map', 'map', [key, value]);
}

export function optionalOf(value: CelType): CelType {
  return new CelType('opaque', 'optional_type', [value]);
}

export function typeOf(target: CelType): CelType {
  return new CelType('type', 'type', [target]);
}

export function objectType(name: string): CelType {
  return new CelType('object', name);
}

export function typeParameter(name: string): CelType {
  return new CelType('typeParam', name);
}

/** The type as messages of the checker show it. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'any':
    case 'duration':
    case 'timestamp':
    case 'null':
      return type.kind;
    case 'error':
      return '!error!';
    default:
      return withParameters(type, type.name, formatType);
  }
}

/** The type as it prints itself, as in the message about the type of a whole expression. */
export function typeText(type: CelType): string {
  return withParameters(type, type.name, typeText);
}

function withParameters({ parameters }: CelType, name: string, format: (type: CelType) => string): string {
  return parameters.length === 0 ? name : `${name}(${parameters.map(format).join(', ')})`;
}
