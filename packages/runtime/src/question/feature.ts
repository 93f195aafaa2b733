import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import { openQuestions, type Questions } from './questions.ts'
import { askUserTool } from './tools.ts'

/** Questions of agents to their user. */
export function openQuestionFeature({ store, journal }: FeatureContext): Feature & { readonly questions: Questions } {
  const questions = openQuestions(store)
  return { name: 'questions', questions, tools: [askUserTool({ store, journal, questions })] }
}
