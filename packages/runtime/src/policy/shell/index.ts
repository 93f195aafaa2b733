export { covered, rulesFor } from './rules.ts'
export { understand } from './understand.ts'
export type { SimpleCommand, Understanding } from './understanding.ts'
export { warningsFor } from './warnings.ts'
