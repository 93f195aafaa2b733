// Rate limits. A request must satisfy every rule of its class; the response is that of the strictest one.

export interface RateRule {
  /** Whose requests are counted together. `account` is the email address of a login, from any sender; a known device has its own count. */
  readonly per: 'address' | 'account' | 'account_and_address' | 'account_and_device' | 'user' | 'device'
  readonly requests: number
  readonly seconds: number
  /** `failures` count only refused attempts, so that successful sign-ins cannot lock another user out. */
  readonly counts?: 'failures'
}

/** Applies to every request in addition to the rules of its class, signed in or not. */
export const addressRate: RateRule = { per: 'address', requests: 6_000, seconds: 60 }

export const rateClasses = {
  probe: [{ per: 'address', requests: 600, seconds: 60 }],
  auth: [{ per: 'address', requests: 20, seconds: 60 }],
  login: [
    { per: 'address', requests: 20, seconds: 60 },
    { per: 'account_and_address', requests: 10, seconds: 15 * 60, counts: 'failures' },
    { per: 'account_and_device', requests: 10, seconds: 15 * 60, counts: 'failures' },
    { per: 'account', requests: 100, seconds: 15 * 60, counts: 'failures' },
  ],
  refresh: [{ per: 'address', requests: 120, seconds: 60 }],
  sync: [{ per: 'user', requests: 600, seconds: 60 }],
  read: [{ per: 'user', requests: 1_200, seconds: 60 }],
  write: [{ per: 'user', requests: 300, seconds: 60 }],
  upload: [{ per: 'user', requests: 60, seconds: 60 }],
  download: [{ per: 'user', requests: 600, seconds: 60 }],
  logs: [{ per: 'user', requests: 120, seconds: 60 }],
  heartbeat: [
    { per: 'device', requests: 30, seconds: 60 },
    { per: 'user', requests: 300, seconds: 60 },
  ],
  /** The operator's limits for model calls: LLM_REQUESTS_PER_MINUTE and the others. */
  model: [],
  socket: [{ per: 'address', requests: 60, seconds: 60 }],
} as const satisfies Record<string, readonly RateRule[]>

export type RateClass = keyof typeof rateClasses
