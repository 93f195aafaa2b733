import { joinUsages, printUsage } from '../terminal/args.ts'
import { autoReview, autoReviewUsage, preferences, preferencesUsage } from './agent-choices.ts'
import { correct, corrections, correctionsUsage, correctUsage } from './correct.ts'
import { forget, forgetMe, forgetMeUsage, forgetUsage } from './forget.ts'
import { graph, graphUsage, split, splitUsage } from './graph.ts'
import { list, listUsage } from './list.ts'
import { policies, policiesUsage, policy, policyGetUsage, policySetUsage } from './policies.ts'
import { identity, identityUsage, profile, profileUsage } from './profile.ts'
import { review, reviews, reviewsUsage, reviewUsage } from './review.ts'
import { search, searchUsage } from './search.ts'
import { show, showUsage } from './show.ts'
import { remember, rememberUsage, status, statusUsage } from './status.ts'
import { exportMemories, exportUsage, importMemories, importUsage } from './transfer.ts'
import { used, usedUsage } from './used.ts'
import { add, addUsage, confirm, confirmUsage, decide, decideUsage, edit, editUsage, reinstate, reinstateUsage } from './write.ts'

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  list,
  show,
  used,
  search,
  add,
  edit,
  confirm,
  forget,
  reinstate,
  decide,
  correct,
  corrections,
  review,
  reviews,
  profile,
  identity,
  graph,
  split,
  policies,
  policy,
  export: exportMemories,
  import: importMemories,
  remember,
  preferences,
  'auto-review': autoReview,
  status,
  'forget-me': forgetMe,
}

const usage = joinUsages(
  listUsage,
  showUsage,
  usedUsage,
  searchUsage,
  addUsage,
  editUsage,
  confirmUsage,
  forgetUsage,
  reinstateUsage,
  decideUsage,
  correctUsage,
  correctionsUsage,
  reviewUsage,
  reviewsUsage,
  profileUsage,
  identityUsage,
  graphUsage,
  splitUsage,
  policiesUsage,
  policyGetUsage,
  policySetUsage,
  exportUsage,
  importUsage,
  rememberUsage,
  preferencesUsage,
  autoReviewUsage,
  statusUsage,
  forgetMeUsage,
)

/** `tandem memory`: what the agents of this device remember. */
export async function memory([verb = 'list', ...args]: readonly string[]): Promise<number> {
  if (verb === '--help' || verb === '-h') {
    console.log(`usage: ${usage}`)
    return 0
  }
  if (verb.startsWith('-')) return await list([verb, ...args])
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return run ? await run(args) : printUsage(`unknown action "${verb}": choose one of ${Object.keys(verbs).join(', ')}`, usage)
}
