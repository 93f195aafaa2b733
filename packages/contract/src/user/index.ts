export type { UserProfile, UserProfileUpdate } from './schema.ts'
