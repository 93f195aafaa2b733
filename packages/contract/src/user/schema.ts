import Type, { type Static } from 'typebox'
import { Id, object, Timestamp, Version } from '../shape.ts'

/** Compared case-insensitively; stored as it was entered. */
export const Email = Type.String({ format: 'email', minLength: 3, maxLength: 254 })

export const DisplayName = Type.String({ minLength: 1, maxLength: 100 })
export const Locale = Type.String({ pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$', maxLength: 35, description: 'BCP 47' })
export const TimeZone = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$', maxLength: 64, description: 'IANA name' })

export const UserProfile = object({
  id: Id,
  email: Email,
  display_name: DisplayName,
  locale: Locale,
  time_zone: TimeZone,
  avatar_file_id: Type.Optional(Id),
  version: Version,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type UserProfile = Static<typeof UserProfile>

/** Replaces the whole profile: without `avatar_file_id` the picture is removed. */
export const UserProfileUpdate = object({
  display_name: DisplayName,
  locale: Locale,
  time_zone: TimeZone,
  avatar_file_id: Type.Optional(Id),
})
export type UserProfileUpdate = Static<typeof UserProfileUpdate>
