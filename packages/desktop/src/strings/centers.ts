// The words of the two centers beside what strings/window.ts has: settings and diagnostics.
import type { SupportBundle } from '@tandem/contract/command'
import { commandKey } from './keys.ts'

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

export const centerWords = {
  settingsCenter: {
    search: 'Web search',
    searchLead: 'Who the tool web.search asks. Without one it says that there is none.',
    provider: 'Provider',
    noProvider: 'none',
    searchUrl: 'Address',
    searchUrlHint: 'SearXNG’s own, or a relay; empty is the provider’s',
    searchKey: 'Key',
    window: 'Window',
    closing: 'When the last window is closed',
    closings: {
      keep_going: ['Runs go on', 'Tandem stays; “tandem start” opens the window again.'],
      stop: ['Tandem ends', 'Runs under way are paused and can be gone on with.'],
    },
    tourLead: 'The few things to know, on the first page.',
    tourAgain: 'Show it again',
    account: 'Account and devices',
    accountLead: 'Signing in, synchronization and your other devices have a place of their own.',
    keys: 'Keyboard',
    keyList: [
      [`${commandKey} K`, 'Everything by name'],
      [`${commandKey} B`, 'Show or hide the side, on narrow screens'],
      [`${commandKey} ,`, 'Settings'],
      [`${commandKey} L`, 'To the message box'],
      [`${commandKey} .`, 'To what waits for your yes'],
      ['Y · A · N', 'Yes once, always, no: while an approval has the focus'],
      ['Esc', 'Close what is open'],
    ],
    memory: 'Memory and profile',
    memoryLead: 'What agents remember of you, and what you want set right.',
    memoryParts: ['Enter a correction', 'Review memory now', 'Your profile', 'Relationship graph'],
  },
  diagnosticsCenter: {
    toDevices: 'Devices and sync',
    works: 'works',
    notYet: 'not yet',
    failures: 'Failures in plain words',
    failuresLead: 'What went wrong lately, each kind once, with what to do.',
    noFailures: 'Nothing went wrong lately.',
    times: (number: number, at: string) => `${count(number, 'time', 'times')}, last ${at}`,
    parked: {
      title: 'Delayed work',
      lead: 'These events could not be processed several times. They are kept and tried again; everything else continues.',
      what: (listener: string, event: string) => `${listener} could not process ${event}`,
      when: (kind: string, id: string, since: string, failures: number, retry_at: string) =>
        `${kind} ${id}, ${since}. ${count(failures, 'attempt', 'attempts')}, next ${retry_at}`,
    },
    learning: 'Memory and learning',
    learningLead: 'Reviews and candidates are advanced by hand here.',
    learningParts: ['Review memory now', 'Write candidates to memory', 'Advance a candidate', 'Advance all automatically'],
    support: 'Support bundle',
    supportLead:
      'One file to hand to somebody who helps. It has versions, counts, the sandbox’s report and the last events by name, and no message, file, path, name or key.',
    look: 'See what is in it',
    lookAgain: 'Gather it again',
    write: 'Write the file',
    written: 'It lies here:',
    bundle: {
      product: 'Version and start',
      host: 'Machine: system, processor, memory, free disk',
      settings: 'Settings, without addresses and keys',
      sandbox: 'Sandbox self-test',
      features: 'What works',
      counts: 'How many rows each table has',
      runs: 'Runs by state',
      failures: 'Failures by kind',
      events: 'The last events: names, times, numbers',
      format: 'Format',
      made_at: 'Made at',
    } satisfies Record<keyof SupportBundle, string>,
    entries: (number: number) => count(number, 'entry', 'entries'),
  },
} as const
