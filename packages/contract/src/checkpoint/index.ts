export * from './kind.ts'
export * from './retention.ts'
