import { type Environment, type FunctionDeclaration, mergeFunctions } from './check/declarations.ts';
import { addressFunctions } from './library/addresses.ts';
import { declaredFunctions } from './library/declared-only.ts';
import { formatFunctions } from './library/formatting.ts';
import { listFunctions, setFunctions } from './library/lists.ts';
import { mapFunctions } from './library/maps.ts';
import { namedFormatFunctions } from './library/named-formats.ts';
import { optionalFunctions } from './library/optionals.ts';
import { quantityFunctions } from './library/quantities.ts';
import { regexFunctions } from './library/regexes.ts';
import { semverFunctions } from './library/semvers.ts';
import { standardFunctions } from './library/standard.ts';
import { stringFunctions } from './library/strings.ts';
import { timeFunctions } from './library/times.ts';
import { urlFunctions } from './library/urls.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  LIST,
  MAP,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from './values/types.ts';

const TYPES: readonly CelType[] = [
  ...[BOOL, BYTES, DOUBLE, DURATION, DYN, INT, LIST, MAP, NULL, STRING, TIMESTAMP, TYPE, UINT],
];

let functions: ReadonlyMap<string, FunctionDeclaration> | null = null;

/** The functions and types that Kubernetes v1.36 gives every expression (apiserver/pkg/cel/environment/base.go). */
export function kubernetesEnvironment(own: Pick<Environment, 'variables' | 'fields' | 'sizeOf'>): Environment {
  functions ??= mergeFunctions(
    standardFunctions,
    stringFunctions,
    listFunctions,
    setFunctions,
    mapFunctions,
    optionalFunctions,
    regexFunctions,
    quantityFunctions,
    semverFunctions,
    urlFunctions,
    addressFunctions,
    timeFunctions,
    formatFunctions,
    namedFormatFunctions,
    declaredFunctions,
  );
  return { ...own, functions, types: new Map(TYPES.map((type) => [type.name, type])) };
}
