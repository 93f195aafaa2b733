export * from './compatibility.ts'
export type {
  CanaryGroup,
  CompatibilityCheckResult,
  CompatibilityReport,
  MatchedRun,
  RecommendationAction,
  SkillRecommendation,
  SkillRecommendationValidation,
  SkillVersion,
} from './schema.ts'
export * from './state.ts'
