import Type, { type Static } from 'typebox'
import { logoutScopes } from '../../auth/index.ts'
import { NewPassword } from '../../auth/schema.ts'
import { limits } from '../../limits/index.ts'
import { Key, Line, nullable, object, oneOf } from '../../shape.ts'
import { Email } from '../../user/schema.ts'
import type { Command } from '../command.ts'

export const SignedInAccount = object({
  cloud_url: Line,
  user_id: Key,
  email: Line,
  /** Why the cloud ended the session; null while it is valid. */
  ended: nullable(Line),
})
export type SignedInAccount = Static<typeof SignedInAccount>

/** A password is accepted and never returned. */
const Password = Type.String({ minLength: 1, maxLength: limits.password_characters })
const CloudUrl = Type.String({ minLength: 1, maxLength: 2_000, pattern: '^https?://[^\\s@]+$' })

export const accountCommands = {
  account_show: {
    summary: 'Show the account that is signed in on this device, and the account that its data belongs to.',
    params: object({}),
    result: object({
      account: nullable(SignedInAccount),
      /** The account that local data was synchronized with; null if there was none. */
      data_of: nullable(Key),
    }),
  },
  account_sign_in: {
    summary: 'Sign in to a server, or create an account there. The data of this device is added to the account.',
    params: object({ cloud_url: CloudUrl, email: Email, password: Password, account: oneOf(['known', 'new']) }),
    result: object({ account: SignedInAccount }),
  },
  account_sign_out: {
    summary: 'Sign out, and keep or delete the data on this device.',
    params: object({
      local_data: oneOf(['keep', 'wipe']),
      /** Wiping while changes are not pushed loses them, so it must be requested explicitly. */
      unsent: oneOf(['keep', 'discard']),
      scope: oneOf(logoutScopes),
    }),
    result: object({ local_data: oneOf(['kept', 'wiped']) }),
  },
  account_change_password: {
    summary: 'Change the password of the account. All other sessions end and all API keys are revoked; this device stays signed in.',
    params: object({ current_password: Password, new_password: NewPassword }),
    result: object({ account: SignedInAccount }),
  },
  account_delete: {
    summary: 'Delete the account and everything stored in it. Its devices are signed out and keep their local data.',
    params: object({ password: Password }),
    result: object({ local_data: oneOf(['kept']) }),
  },
} satisfies Record<string, Command>
