export * from './compatibility.ts'
export type {
  CompatibilityCheckResult,
  CompatibilityReport,
  SkillRecommendation,
  SkillRecommendationValidation,
  SkillVersion,
} from './schema.ts'
export * from './state.ts'
