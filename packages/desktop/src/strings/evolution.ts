// Texts about skills and workflows that Tandem proposes from what users repeat.

import type { ManualRemediationKind } from '@tandem/contract/learning'
import type { AdvanceTrigger } from '@tandem/contract/policy-candidate'
import type {
  CanaryGroupName,
  RecommendationKind,
  RecommendationStage,
  SkillRecommendationState,
  SkillRecommendationTrigger,
} from '@tandem/contract/skill-recommendation'
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

const number = (value: number) => value.toLocaleString(locale)

export const evolutionWords = translated('evolution', {
  title: 'Evolution',
  lead: 'What you repeat becomes a skill or a workflow: Tandem proposes it, tests it, and uses it only if it helps.',
  back: 'Diagnostics',
  sectionsLabel: 'Parts of evolution',
  sections: { recommendations: 'Recommendations', gaps: 'Gaps', traces: 'Traces' },
  allAgents: 'All agents',
  openRun: 'Open the run',
  loadMore: 'Load older',

  summary: {
    lead: 'Skills and workflows that Tandem proposes from what you repeat.',
    waiting: (recommendations: number) => `${count(recommendations, 'recommendation needs', 'recommendations need')} your decision.`,
    noneWaiting: 'No recommendation needs your decision.',
  },
  waiting: (recommendations: number) =>
    recommendations === 1 ? '1 recommendation needs you:' : `${number(recommendations)} recommendations need you:`,
  waitingShort: (recommendations: number) => count(recommendations, 'recommendation', 'recommendations'),

  traces: {
    lead: 'What was found in each run, the latest first: calls that repeat, what you ask for again and again, and where you stepped in.',
    none: 'No traces yet. Each run is searched when it has ended.',
    nothing: 'Nothing that repeats was found.',
    sequences: 'Repeated calls',
    constraints: 'Repeated requests',
    remediations: 'Your interventions',
    repeated: (times: number) => count(times, 'time', 'times'),
    found: (sequences: number, constraints: number, remediations: number) =>
      [
        ...(sequences > 0 ? [count(sequences, 'repeated sequence of calls', 'repeated sequences of calls')] : []),
        ...(constraints > 0 ? [count(constraints, 'repeated request', 'repeated requests')] : []),
        ...(remediations > 0 ? [count(remediations, 'intervention by you', 'interventions by you')] : []),
      ].join(' · '),
    kinds: {
      edited_arguments: 'Edited a call',
      denied_call: 'Denied a call',
      corrected_agent: 'Corrected the agent',
      restored_checkpoint: 'Restored a recovery point',
      edited_file: 'Edited a file',
      canceled_run: 'Canceled the run',
    } satisfies Record<ManualRemediationKind, string>,
  },

  gaps: {
    lead: 'Things you repeat that nothing does for you yet. Each is listed once.',
    none: 'No gaps. One is recorded when you repeat something in three runs on two days.',
    repeated: (times: number) => `Repeated ${count(times, 'time', 'times')}`,
    confidence: (percent: string) => `Confidence ${percent}`,
    matching: (name: string) => `The skill ${name} would fit.`,
    bound: 'It is already assigned.',
    open: 'Open the recommendation',
    openOf: (summary: string) => `Open the recommendation: ${summary}`,
    dismiss: 'Dismiss gap',
    dismissOf: (summary: string) => `Dismiss gap: ${summary}`,
    question:
      'Dismiss this gap? Its recommendation is retired, and a skill or workflow that was made from it is no longer used. What it proposed and you have not decided about is withdrawn. It is found again only if you repeat it twice as often.',
    results: {
      memory: 'Memory candidate',
      policy: 'Policy candidate',
      source: 'Source for the knowledge base',
      proposed: 'Proposed',
      added: 'Added',
      add: 'Add to the knowledge base',
      addOf: (path: string) => `Add to the knowledge base: ${path}`,
      openSource: 'Open the source',
      nothing: (because: string) => `Nothing is proposed. ${because}`,
    },
  },

  kinds: {
    local_skill_draft: 'New skill',
    bind_existing_skill: 'Existing skill',
    workflow: 'Workflow',
  } satisfies Record<RecommendationKind, string>,

  states: {
    draft_pending: 'Suggested',
    draft_generated: 'Drafted',
    validated: 'Validated',
    shadow_ready: 'Shadow ready',
    shadow_active: 'In shadow',
    canary_ready: 'Canary ready',
    canary_applied: 'In canary',
    live: 'Live',
    rolled_back: 'Rolled back',
    retired: 'Retired',
  } satisfies Record<SkillRecommendationState, string>,
  /** What each state means for runs. */
  meanings: {
    draft_pending: 'Its text has not been written yet.',
    draft_generated: 'Its text is written. Nothing uses it.',
    validated: 'Its text and this device were checked. Nothing uses it.',
    shadow_ready: 'It can be compared with runs now. Nothing uses it.',
    shadow_active: 'It is compared with your runs. Nothing uses it.',
    canary_ready: 'It matched your runs. Nothing uses it yet.',
    canary_applied: 'Half of the runs that it matches use it; the other half is compared with them.',
    live: 'Every run of the agent has it.',
    rolled_back: 'It was taken out of use. If there was an earlier version, that one is used again.',
    retired: 'It is not used, and not proposed again unless you repeat it twice as often.',
  } satisfies Record<SkillRecommendationState, string>,
  needsYou: 'Needs your decision',

  recommendations: {
    lead: 'Each recommendation is drafted, validated, compared with runs without any effect (shadow), used in half of the matching runs (canary), and then live.',
    none: 'No recommendations. One is made when you repeat something in three runs on two days.',
    round: 'Run next steps now',
    roundHint: 'Takes every recommendation as far as it may go without you. This also happens after each run.',
    roundDone: (changed: number) =>
      changed === 0 ? 'Nothing changed.' : `${count(changed, 'recommendation', 'recommendations')} changed.`,
    open: 'Details',
    openOf: (title: string) => `Details: ${title}`,
    decide: 'Decide…',
    decideOf: (title: string) => `Decide: ${title}`,
    back: 'All recommendations',
    confidence: (percent: string) => `Confidence ${percent}`,
    rolledBackBecause: (reason: string) => `Rolled back: ${reason}`,
    why: 'Why',
    openSkill: 'Open the skill',
    openWorkflow: 'Open the workflow',
  },

  lifecycle: {
    title: 'Lifecycle',
    current: 'current state',
    done: 'done',
    ahead: 'not yet',
    history: 'History',
    noHistory: 'Nothing has happened yet.',
    stages: {
      draft: 'Draft',
      validation: 'Validation',
      shadow: 'Shadow',
      canary: 'Canary',
      live: 'Live',
      rollback: 'Rollback',
      retirement: 'Retirement',
    } satisfies Record<RecommendationStage, string>,
    failed: 'Failed',
    triggers: {
      command: 'by you',
      scheduler: 'automatic',
      later_failure: 'because a run failed',
      later_restore: 'because a run was restored',
    } satisfies Record<AdvanceTrigger, string>,
    change: (from: string, to: string) => (from === to ? `Stayed “${from}”` : `“${from}” → “${to}”`),
    checked: (runs: number) => `${count(runs, 'run', 'runs')} compared`,
    causedBy: 'Open the run that caused it',
  },

  actions: {
    generate_draft: 'Write the draft',
    validate: 'Validate',
    prepare_shadow: 'Prepare the shadow',
    apply_shadow: 'Start the shadow',
    prepare_canary: 'Prepare the canary',
    apply_canary: 'Start the canary',
    promote_to_live: 'Make it live',
    rollback: 'Roll back',
    retire: 'Retire',
  } satisfies Record<SkillRecommendationTrigger, string>,
  /** Finishes "Couldn't …". */
  doing: {
    generate_draft: 'write the draft',
    validate: 'validate the recommendation',
    prepare_shadow: 'prepare the shadow',
    apply_shadow: 'start the shadow',
    prepare_canary: 'prepare the canary',
    apply_canary: 'start the canary',
    promote_to_live: 'make the recommendation live',
    rollback: 'roll the recommendation back',
    retire: 'retire the recommendation',
    round: 'run the next steps',
    dismiss: 'dismiss the gap',
    addSource: 'add the source',
    promotion: 'change when recommendations go live',
  } satisfies Record<SkillRecommendationTrigger | 'round' | 'dismiss' | 'addSource' | 'promotion', string>,
  action: {
    title: 'Actions',
    of: (action: string, title: string) => `${action}: ${title}`,
    notNow: 'Not possible now',
    liveQuestion: (kind: RecommendationKind) =>
      kind === 'workflow'
        ? 'Use it in every run of the agent? The workflow is approved and no longer marked as a draft.'
        : 'Use it in every run of the agent? The skill is written to your skill folder and assigned to the agent.',
    yes: { apply_canary: 'Start the canary', promote_to_live: 'Make it live' },
    reason: 'Reason (optional)',
  },

  evidence: {
    title: 'Evidence',
    lead: (runs: number) => `You did this in ${count(runs, 'run', 'runs')}. Each opens its conversation.`,
    none: 'The runs that led to it are no longer on this device.',
    unnamed: 'Run',
  },
  text: {
    title: 'Text',
    none: 'It is written with the draft.',
    version: (version: number) => `Version ${number(version)}`,
    path: (path: string) => `File: ${path}`,
  },

  groups: {
    title: 'Canary',
    lead: 'Runs that it matches get it by chance: half of them do. It may go live when five runs of each group have ended, and those with it went as well as those without.',
    names: { with: 'With it', without: 'Without it' } satisfies Record<CanaryGroupName, string>,
    group: 'Group',
    runs: 'Ended runs',
    open: 'Open runs',
    score: 'Mean outcome',
    safety: 'Safety',
    turns: 'Turns per run',
    matched: 'Matched runs',
    noMatched: 'No run has matched it since its shadow was started.',
    columns: { run: 'Run', stage: 'Stage', fits: 'Fits', steps: 'Steps done', outcome: 'Outcome', turns: 'Turns' },
    stageOf: (stage: 'shadow' | 'canary', group: CanaryGroupName | null) =>
      stage === 'shadow' ? 'Shadow' : group === 'with' ? 'Canary, with it' : 'Canary, without it',
    stillOpen: 'Not ended',
    absent: '–',
    turnsOf: (turns: number) => turns.toLocaleString(locale, { maximumFractionDigits: 1 }),
  },

  versions: {
    title: 'Versions',
    lead: 'Every version of its text is kept. Changing the file of a live skill by hand makes a new one.',
    none: 'There is no version until the draft is written.',
    from: 'Compare',
    to: 'with',
    option: (version: number, at: string) => `Version ${number(version)}, ${at}`,
    diff: (from: number, to: number) => `Changes from version ${number(from)} to version ${number(to)}`,
    same: 'Both have the same text.',
    one: 'There is only one version.',
    tooLarge: 'Nearly every line differs. Read the versions one by one.',
    live: (at: string) => `went live ${at}`,
    ended: (at: string) => `ended ${at}`,
    current: 'Current',
  },

  promotion: {
    title: 'Evolution',
    label: 'Promote automatically',
    hint: 'When on, a recommendation of this agent that passed its canary goes live without asking, on this device. It is still rolled back if a run with it fails.',
  },

  suggestion: {
    label: 'Recommendation',
    testing: (kind: RecommendationKind, title: string) =>
      ({
        local_skill_draft: `You repeat this, so Tandem is testing a skill for it: ${title}`,
        bind_existing_skill: `You repeat this, so Tandem is testing a skill that you already have: ${title}`,
        workflow: `You repeat this, so Tandem is testing a workflow for it: ${title}`,
      })[kind],
    live: (title: string) => `In use because you repeat this: ${title}`,
    rolledBack: (title: string, reason: string) => `No longer used: ${title} Reason: ${reason}`,
    dismiss: 'Dismiss',
    dismissOf: (title: string) => `Dismiss: ${title}`,
    details: 'Details',
  },
} as const)
