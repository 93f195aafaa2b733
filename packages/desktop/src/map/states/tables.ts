// Every transition table of the contract.
import { memoryWritebackTransitions } from '@tandem/contract/learning'
import { mcpServerTransitions } from '@tandem/contract/mcp'
import { memoryTransitions } from '@tandem/contract/memory'
import { policyCandidateTransitions } from '@tandem/contract/policy-candidate'
import { runTransitions } from '@tandem/contract/run'
import { skillRecommendationTransitions } from '@tandem/contract/skill-recommendation'
import { taskTransitions } from '@tandem/contract/task'
import type { Transitions } from '@tandem/contract/transition'
import { workflowRunTransitions } from '@tandem/contract/workflow-run'

export type Table = Transitions<string, string>

export const tables: readonly Table[] = [
  runTransitions,
  policyCandidateTransitions,
  skillRecommendationTransitions,
  mcpServerTransitions,
  taskTransitions,
  workflowRunTransitions,
  memoryTransitions,
  memoryWritebackTransitions,
]
