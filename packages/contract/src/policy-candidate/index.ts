export { policyValueText } from './change-text.ts'
export type { PolicyCandidate, PolicyCandidateValidation, PolicyChange, PolicyDivergence } from './schema.ts'
export * from './state.ts'
export * from './validation.ts'
