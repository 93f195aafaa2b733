import { alter, anyCall, anyChange, changesSomething, errandCalls, projectName, retouched } from './noise.ts'
import type { Constraint, Errand, Half, Planting, Remediation, Routine, Step } from './plan.ts'
import { type Random, seeded } from './random.ts'
import { english, german, singleCorrections } from './requests.ts'
import { type Call, call, type Language, message, type RemediationKind, type Run, type RunEvent, read, shell } from './run.ts'
import { type Scene, sceneOf } from './scene.ts'

const runsPerHalf = 150
const day = 86_400_000
const days = 91

/** The runs of one half, oldest first. */
export function halfHistory(half: Half): Run[] {
  const random = seeded(half.seed)
  const begin = Date.parse(`${half.begin}T00:00:00Z`)
  const anyTime = () => workingTime(random, begin + random.next() * days * day)
  const errands = random.shuffle(half.errands)
  const nextErrand = (wanted: Language, kinds: Errand[4][] = ['l', 's', 'c', 'w', 'm']): Errand => {
    const found =
      errands.find(([language, , , , kind]) => language === wanted && kinds.includes(kind)) ??
      errands.find(([, , , , kind]) => kinds.includes(kind))
    if (!found) throw new Error(`${half.name} needs more errands (${kinds})`)
    errands.splice(errands.indexOf(found), 1)
    return found
  }
  const nextLanguage = random.deck<Language>(['en', 'de'])
  const start = (part: Run['part'], language: Language, project: string, at: number): [Run, Scene] => [
    emptyRun(half, random, part, language, project, at),
    sceneOf(random, language, project, at),
  ]
  const errandRun = (part: Run['part'], [language, request, answer, file, how]: Errand): Run => {
    const [run] = start(part, language, random.pick(half.projects), anyTime())
    const calls = errandCalls(random, file, how)
    run.events = [message('person', request), ...calls.map(callEvent), message('agent', answer)]
    if (random.chance(0.06)) run.end = 'failed'
    return run
  }

  const routineRuns = half.routines.flatMap((routine) => {
    const project = random.deck(routine.projects)
    const wording = { en: random.deck(routine.requests.en), de: random.deck(routine.requests.de) }
    return Array.from({ length: routine.runs }, (_, index) => {
      const at = workingTime(random, begin + ((index + random.next()) / routine.runs) * days * day)
      const [run, scene] = start('routine', nextLanguage(), project(), at)
      playRoutine(run, scene, routine, routine.variants?.[index % routine.variants.length] ?? null, wording[run.language]()(scene), half)
      return run
    })
  })

  const constraintRuns = half.constraints.flatMap((constraint) => {
    const wording = { en: random.deck(constraint.wordings.en), de: random.deck(constraint.wordings.de) }
    const hosts = random
      .shuffle(routineRuns)
      .filter((run) => run.constraints.length === 0 && run.routine !== null && !constraint.never.includes(run.routine))
      .slice(0, Math.round(constraint.runs / 3))
    const own = Array.from({ length: constraint.runs - hosts.length }, () =>
      errandRun('constraint', nextErrand(nextLanguage(), constraint.suits)),
    )
    for (const [index, run] of [...hosts, ...own].entries()) {
      // Some people mix languages: every fifth wish is in the other language than the request.
      const language = index % 5 === 4 ? (run.language === 'de' ? 'en' : 'de') : run.language
      ask(random, run, constraint, wording[language](), { later: index % 4 === 3, foreign: language !== run.language })
    }
    return own
  })

  const nearMisses = half.constraints.flatMap((constraint) =>
    constraint.nearMisses.map(([language, request, answer, file]) => {
      const run = errandRun('near_miss', [language, request, answer, file, 's'])
      run.near_miss = constraint.key
      return run
    }),
  )

  const remediationRuns = half.remediations.flatMap((remediation) => {
    const wording = { en: random.deck(remediation.requests.en), de: random.deck(remediation.requests.de) }
    const hosts = random
      .shuffle(routineRuns)
      .filter((run) => run.remediations.length === 0 && run.end === 'completed' && remediation.hosts.includes(run.routine ?? ''))
      .slice(0, remediation.kind === 'canceled_run' ? 1 : 2)
    for (const run of hosts) remedy(run, remediation, remediation.plant(sceneOf(random, run.language, projectOf(run), run.at)))
    return Array.from({ length: remediation.runs - hosts.length }, () => {
      const [run, scene] = start('remediation', nextLanguage(), random.pick(half.projects), anyTime())
      const before = Array.from({ length: random.int(0, 3) }, () => anyCall(random))
      run.events = [message('person', wording[run.language]()(scene)), ...before.map(callEvent)]
      remedy(run, remediation, remediation.plant(scene))
      return run
    })
  })

  const commonRuns = half.common.map(([language, request, answer, file]) => errandRun('common', [language, request, answer, file, 'l']))
  const planted = [...routineRuns, ...constraintRuns, ...nearMisses, ...remediationRuns, ...commonRuns]
  const ordinary = Array.from({ length: runsPerHalf - planted.length }, () => errandRun('ordinary', nextErrand(nextLanguage())))

  for (const [index, run] of random.shuffle(ordinary).slice(0, 8).entries()) decoy(random, run, index)
  poison(random, half, routineRuns, [...ordinary, ...constraintRuns])
  return finish(random, [...planted, ...ordinary])
}

/** 300 runs in which nothing is planted: each call is drawn independently of all others. */
export function randomHistory(): Run[] {
  const random = seeded(4242)
  const begin = Date.parse('2026-02-02T00:00:00Z')
  const projects = Array.from({ length: 25 }, () => projectName(random))
  const answers = {
    en: [
      'Done.',
      'See above.',
      'It works now.',
      'I could not find more.',
      'Changed as you asked.',
      'Here is what I found.',
      'That was it.',
    ],
    de: [
      'Erledigt.',
      'Siehe oben.',
      'Es geht jetzt.',
      'Mehr war nicht zu finden.',
      'Wie gewünscht geändert.',
      'Das habe ich gefunden.',
      'Das war alles.',
    ],
  }
  const requests: [Language, string][] = [
    ...english.map((text): [Language, string] => ['en', text]),
    ...german.map((text): [Language, string] => ['de', text]),
  ]
  const corrections = random.shuffle(singleCorrections)
  const runs = requests.map(([language, request]) => {
    const run = blankRun(
      'random',
      language,
      random.pick(['Kim', 'Jo', 'Sol', 'Alma']),
      `/home/kim/${random.pick(projects)}`,
      workingTime(random, begin + random.next() * days * day),
    )
    const calls = Array.from({ length: random.int(1, 4) + random.int(0, 8) }, () => anyCall(random))
    const changes = calls.filter(changesSomething)
    for (const made of changes) {
      const luck = random.next()
      if (luck < 0.02) Object.assign(made, { state: 'denied', output: 'denied' })
      else if (luck < 0.04) alter(random, made)
    }
    run.end = random.chance(0.05) ? 'failed' : random.chance(0.04) ? 'canceled' : 'completed'
    run.events = [
      message('person', request),
      ...calls.map(callEvent),
      ...(run.end === 'canceled' ? [] : [message('agent', random.pick(answers[language]))]),
    ]
    const [changed] = changes
    if (changed && random.chance(0.025)) run.events.push({ what: 'restore', to: changed })
    const written = changes.find((made) => typeof made.arguments.path === 'string' && made.state === 'ok')
    if (written && random.chance(0.06)) run.edited_files.push({ path: `${written.arguments.path}`, ...retouched(random) })
    const correction = random.chance(0.05) ? corrections.pop() : undefined
    if (correction && run.end === 'completed')
      run.events.push(message('person', correction), message('agent', random.pick(answers[language])))
    return run
  })
  return finish(random, runs)
}

function playRoutine(run: Run, scene: Scene, routine: Routine, variant: string | null, request: string, half: Half): void {
  const { random } = scene
  const missing = random
    .shuffle(routine.steps)
    .filter((step) => step.optional && random.chance(0.17))
    .slice(0, 2)
    .map((step) => step.key)
  run.routine = routine.key
  run.variant = variant
  run.missing = missing
  const calls: Call[] = []
  for (const step of ordered(random, routine.steps)) {
    if (missing.includes(step.key)) continue
    const made = step.calls(scene, variant).map((one) => disguised(random, half, run.workspace, one))
    const [first] = made
    if (step.fails && first && random.chance(0.15)) {
      calls.push({ ...first, state: 'failed', output: step.fails, step: step.key }, anyCall(random))
    }
    calls.push(...made.map((one) => ({ ...one, step: step.key })))
  }
  const noise = random.int(0, 6)
  for (let index = 0; index < noise; index += 1) calls.splice(random.int(1, calls.length - 1), 0, anyCall(random))
  if (random.chance(0.3)) calls.unshift(call('fs.list', { path: '.' }, 'README.md\nsrc'), read('README.md', `# ${scene.project}`))
  else if (random.chance(0.25)) calls.unshift(shell('git status --short'))
  run.events = [message('person', request), ...calls.map(callEvent), message('agent', random.pick(routine.answers[run.language])(scene))]
}

/** One command in eight is written a little differently, unless it has pipes of its own. */
function disguised(random: Random, half: Half, workspace: string, made: Call): Call {
  const { command } = made.arguments
  if (typeof command !== 'string' || /[|&<>]/.test(command) || random.chance(0.88)) return made
  return { ...made, arguments: { command: random.pick(half.disguises)(command, workspace) } }
}

/** A random order that respects `after`; a step that is missing in the run still orders the others. */
function ordered(random: Random, steps: Step[]): Step[] {
  const done: Step[] = []
  while (done.length < steps.length) {
    const keys = done.map((step) => step.key)
    done.push(random.pick(steps.filter((step) => !done.includes(step) && (step.after ?? []).every((key) => keys.includes(key)))))
  }
  return done
}

function ask(random: Random, run: Run, constraint: Constraint, wording: string, how: { later: boolean; foreign: boolean }): void {
  run.constraints.push(constraint.key)
  const [request] = run.events
  if (request?.what !== 'message') throw new Error('A run begins with a request')
  const banned = constraint.without ?? []
  run.events = run.events.filter(
    (event) =>
      event.what !== 'call' ||
      !(
        banned.some((family) => event.call.tool.startsWith(family)) ||
        (banned.length > 0 && /^curl/.test(`${event.call.arguments.command}`))
      ),
  )
  const last = run.events.at(-1)
  if (constraint.replies && run.language === 'en' && last?.what === 'message') last.text = random.pick(constraint.replies)
  const clause = wording.startsWith(', ')
  const sentence = clause ? `${wording.charAt(2).toUpperCase()}${wording.slice(3)}` : wording
  if (how.later && run.events.length > 3) {
    run.events.splice(random.int(2, run.events.length - 2), 0, {
      what: 'message',
      author: 'person',
      text: sentence,
      constraint: constraint.key,
    })
  } else {
    if (clause && !how.foreign) request.text = `${request.text.slice(0, -1)}${wording.slice(0, -1)}${request.text.slice(-1)}`
    // A line break separates a wish without a final period from the request.
    else if (random.chance(0.25)) request.text = `${sentence}${/[.!?]$/.test(sentence) ? ' ' : '\n'}${request.text}`
    else request.text = `${request.text} ${sentence}`
    request.constraint = constraint.key
  }
}

function remedy(run: Run, remediation: Remediation, parts: Planting): void {
  run.remediations.push(remediation.key)
  const last = run.events.at(-1)
  const answered = last?.what === 'message' && last.author === 'agent'
  // In a run that has an answer already, the remediation happens before it.
  if (answered) run.events.pop()
  run.events.push(...parts.calls.map(callEvent))
  if (parts.canceled) {
    run.end = 'canceled'
    return
  }
  if (parts.claim && parts.afterwards.length > 0 && !parts.correction) run.events.push(...parts.afterwards.map(callEvent))
  if (parts.claim) run.events.push(message('agent', parts.claim))
  if (parts.restoreTo) run.events.push({ what: 'restore', to: parts.restoreTo })
  if (parts.correction) run.events.push(message('person', parts.correction), ...parts.afterwards.map(callEvent))
  run.edited_files.push(...parts.editedFiles)
  if (answered && last) run.events.push(last)
  else if (parts.correction) run.events.push(message('agent', run.language === 'de' ? 'Verstanden.' : 'Understood.'))
}

const decoys: RemediationKind[] = [
  'denied_call',
  'edited_arguments',
  'restored_checkpoint',
  'canceled_run',
  'edited_file',
  'denied_call',
  'edited_arguments',
  'corrected_agent',
]

/** A remediation that happens once and must not be taken for a habit. */
function decoy(random: Random, run: Run, index: number): void {
  const kind = decoys[index] ?? 'denied_call'
  const made = run.events.flatMap((event) => (event.what === 'call' ? [event.call] : []))
  const found = made.findLast((one) => changesSomething(one) && typeof one.arguments.path === 'string')
  const target = found ?? anyChange(random)
  if (!found) run.events.splice(-1, 0, callEvent(target))
  run.decoy = kind
  if (kind === 'denied_call')
    Object.assign(target, { state: 'denied', output: 'denied', reason: random.pick(['Not now.', 'Later.', 'Erst morgen.']) })
  if (kind === 'edited_arguments') alter(random, target)
  if (kind === 'restored_checkpoint') run.events.push({ what: 'restore', to: target })
  if (kind === 'canceled_run') {
    run.events.pop()
    run.end = 'canceled'
  }
  if (kind === 'edited_file') run.edited_files.push({ path: `${target.arguments.path ?? 'notes.md'}`, ...retouched(random) })
  if (kind === 'corrected_agent')
    run.events.push(
      message('person', run.language === 'de' ? 'Ich meinte die andere Datei.' : 'I meant the other file.'),
      message('agent', 'OK.'),
    )
}

/** Each text in five runs: three of one routine, so that it is part of the evidence, and two others. */
function poison(random: Random, half: Half, routineRuns: Run[], others: Run[]): void {
  for (const [index, { channel, text }] of half.poison.entries()) {
    const target = half.routines[index * 2]?.key
    const hosts = [
      ...random.shuffle(routineRuns.filter((run) => run.routine === target)).slice(0, 3),
      ...random.shuffle(others.filter((run) => !run.poison && run.decoy === null)).slice(0, 2),
    ]
    for (const [turn, run] of hosts.entries()) {
      run.poison = true
      const at = random.int(1, Math.max(1, run.events.length - 2))
      if (channel === 'agent_message') run.events.splice(at, 0, message('agent', text))
      if (channel === 'file_name') {
        run.events.splice(
          at,
          0,
          ...[
            call('fs.list', { path: text.slice(0, text.indexOf('/')) }, `${text.slice(text.indexOf('/') + 1)}\noverview.md`),
            read(text, '(empty)'),
          ]
            .slice(0, turn % 2 ? 1 : 2)
            .map(callEvent),
        )
      }
      if (channel === 'tool_output') {
        const outputs = run.events.flatMap((event) => (event.what === 'call' && event.call.state === 'ok' ? [event.call] : []))
        const carrier = random.pick(outputs)
        carrier.output = `${carrier.output}\n${text}`
        const command = /`([^`]+)`/.exec(text)?.[1]
        // Once, the agent obeys, and the person denies it.
        if (turn === 4 && command)
          run.events.splice(
            -1,
            0,
            callEvent({ ...shell(command, 'denied', 'denied'), reason: run.language === 'de' ? 'Auf keinen Fall.' : 'Certainly not.' }),
          )
      }
    }
  }
}

function emptyRun(half: Half, random: Random, part: Run['part'], language: Language, project: string, at: number): Run {
  return blankRun(part, language, random.pick(half.agents), `${half.home}/${project}`, at)
}

const blankRun = (part: Run['part'], language: Language, agent: string, workspace: string, at: number): Run => ({
  at,
  language,
  agent,
  workspace,
  part,
  events: [],
  end: 'completed',
  edited_files: [],
  routine: null,
  variant: null,
  missing: [],
  constraints: [],
  near_miss: null,
  remediations: [],
  decoy: null,
  poison: false,
})

const callEvent = (made: Call): RunEvent => ({ what: 'call', call: made })
const projectOf = (run: Run) => run.workspace.slice(run.workspace.lastIndexOf('/') + 1)

function workingTime(random: Random, at: number): number {
  const midnight = Math.floor(at / day) * day
  const weekday = new Date(midnight).getUTCDay()
  const moved = weekday === 0 ? midnight + day : weekday === 6 && random.chance(0.7) ? midnight - day : midnight
  return moved + random.int(6 * 3600, 19 * 3600) * 1000
}

function finish(random: Random, runs: Run[]): Run[] {
  for (const run of runs) {
    for (const event of run.events) {
      if (event.what === 'call' && event.call.duration_ms === 0) event.call.duration_ms = duration(random, event.call)
    }
  }
  return runs.toSorted((a, b) => a.at - b.at)
}

function duration(random: Random, { tool, state }: Call): number {
  if (state === 'denied') return 0
  if (tool.startsWith('fs.') || tool.startsWith('todo.') || tool === 'time.now') return random.int(1, 40)
  if (tool.startsWith('shell') || tool.startsWith('script')) return random.int(20, 9000)
  return random.int(90, 2500)
}
