// The words that the memories of the benchmark are made of. A word in braces is replaced by one of its list.
import type { MemoryKind } from '@tandem/contract/memory'

const list = (text: string) => text.split(', ')

export const words = {
  tool: list(
    'Vitest, Jest, Playwright, Postgres, SQLite, Redis, Kafka, Grafana, Terraform, Ansible, Docker, Podman, Vite, Rollup, Biome, Prettier, ESLint, pnpm, Yarn, Poetry, Ruff, Pandas, Polars, DuckDB, Metabase, Sentry, Stripe, Mailgun, Figma, Notion, Linear, Jira, Slack, Zulip, Nextcloud, Hugo, Astro, Svelte, Fastify, Hono',
  ),
  task: list(
    'unit tests, load tests, the nightly build, the release, the changelog, error reports, the invoices, the weekly report, the newsletter, database migrations, feature flags, background jobs, image uploads, the search index, the style guide, translations, the seating plan, the budget, travel bookings, the archive, the sensor data, the pull requests, the landing page, the backup, the course slides, the grading, the concert posters, the stock count, customer mails, the payroll',
  ),
  document: list(
    'mails, reports, commit messages, meeting notes, slides, tickets, summaries, tables, code reviews, error messages, invoices, minutes, captions, test names, release notes, job ads, contracts, drafts, posters, diagrams',
  ),
  style: list(
    'short, in plain English, without abbreviations, with the date first, as a table, with sources, in the active voice, without exclamation marks, in British spelling, with one idea per line, formal, friendly, with examples, in two columns, without screenshots, in blue, sorted by date, with page numbers, signed with initials, as plain text',
  ),
  reason: list(
    'it is slow on old laptops, nobody reads the rest, the client asked for it, it broke twice last month, the license changed, it costs too much, the team already knows it, the old one is not maintained, it works offline, the auditors want it, the tests were flaky, it saves an hour a day',
  ),
  day: list('Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday'),
  month: list('January, February, March, April, May, June, July, August, September, October, November, December'),
  year: list('2024, 2025, 2026, 2027'),
  channel: list('Slack, e-mail, phone, Signal, Teams, a pull request comment'),
  role: list(
    'the designer, the accountant, the project lead, the data engineer, the site manager, the translator, the lab technician, the lawyer, the editor, the treasurer, the network admin, the landlord',
  ),
  first: list(
    'Ana, Ben, Clara, David, Elif, Farah, Goran, Hanna, Igor, Jonas, Karin, Leo, Mira, Nils, Olga, Pavel, Quinn, Rosa, Samir, Tessa, Umar, Vera, Wanda, Xenia, Yusuf, Zoe, Anton, Birte, Carlos, Dana, Emil, Freya, Gita, Hugo, Ines, Jakob, Kira, Lars, Maya, Noor',
  ),
  last: list(
    'Abel, Brandt, Costa, Dietrich, Engel, Ferreira, Gruber, Hansen, Iyer, Jansen, Keller, Lindqvist, Moreau, Novak, Okafor, Petrov, Quist, Rahman, Sato, Tanaka, Ueda, Varga, Weber, Xu, Yilmaz, Zeman, Almeida, Bauer, Castillo, Dahl, Eriksen, Fischer, Gomez, Hoffmann, Ivanov, Jensen, Kowalski, Larsen, Meyer, Nakamura',
  ),
  place: list(
    'harbor, orchard, quarry, museum, bakery, library, clinic, stadium, theater, garden, bridge, mill, station, market, school, factory, lighthouse, vineyard, airfield, aquarium',
  ),
  project: list(
    'dispatch, archive, portal, planner, register, pipeline, dashboard, website, catalog, monitor, calculator, simulator, assistant, ledger, survey, atlas, notebook, tracker, gateway, scheduler',
  ),
} as const

export type SubjectType = 'user' | 'workspace' | 'entity'

/** Numbers in braces are replaced by one from 1 to that number. */
export const templates: Readonly<Record<SubjectType, Readonly<Partial<Record<MemoryKind, readonly string[]>>>>> = {
  user: {
    preference: [
      'I want {document} for {task} {style}, {style} if they are longer than {90} lines.',
      'I like {tool} better than {tool} for {task}.',
      'Never send {document} about {task} after {24}:30 on a {day}.',
      'Keep {document} about {task} under {400} words and {style}.',
    ],
    semantic: ['I look after {task} for {90} people at the {place} {project}.', 'My {place} membership number for {task} ends in {9999}.'],
    decision: [
      'From {month} on I do {task} on {day}s at {24}:30 with {tool}.',
      'I stop paying for {tool} in {month}, because {reason}; {tool} does {task} as well.',
    ],
    episodic: ['On {28} {month} I spent {12} hours on {task} because {tool} lost {900} rows.'],
  },
  workspace: {
    preference: ['In this project {document} about {task} are {style}, at most {90} lines.'],
    semantic: ['The server for {task} has {64} cores and answers on port {60000}.', 'The deadline for {task} is {28} {month} {year}.'],
    decision: [
      'We use {tool} for {task} in the {place} {project}, because {reason}.',
      '{tool} is out for {task}, we moved to {tool} in {month} because {reason}.',
      'Retries for {task} stop after {30} attempts, then {tool} gets the job.',
      'Every change to {task} needs {9} reviews and a run of {tool} on {day}.',
    ],
    procedural: [
      'To ship {task}: run {tool}, wait {59} minutes, check {tool}, then announce it in {channel}.',
      'When {task} fails, look at {tool} first, restart it {9} times at most, then look at {tool}.',
    ],
    episodic: ['The outage of {28} {month} came from {tool}: {task} stood still for {300} minutes.'],
  },
  entity: {
    relationship: [
      '{name} is {role} for {task} at the {place} {project} since {month} {year}.',
      '{name} expects updates about {task} via {channel} every {day} before {24}:30.',
      '{name} approves {task} up to {9000} euros.',
    ],
  },
}

/** How often each occurs, as in the months of `memory-month`. */
export const shares: readonly (readonly [share: number, subject: SubjectType, kind: MemoryKind])[] = [
  [0.17, 'user', 'preference'],
  [0.06, 'user', 'semantic'],
  [0.09, 'user', 'decision'],
  [0.03, 'user', 'episodic'],
  [0.09, 'workspace', 'preference'],
  [0.06, 'workspace', 'semantic'],
  [0.24, 'workspace', 'decision'],
  [0.07, 'workspace', 'procedural'],
  [0.04, 'workspace', 'episodic'],
  [0.15, 'entity', 'relationship'],
]
