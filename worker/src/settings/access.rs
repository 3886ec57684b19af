//! Checks the rights of callers: each role has a secret, and a higher role includes all lower
//! roles.
//!
//! While you change the secret of a role, the secret has two values, and each of these values gives
//! the role's rights. To change the secret without a gap, set both values, move the callers, then
//! set only the new value.
//!
//! A role without a secret is open only to the tokens of higher roles. However, while the roles
//! `Issue` and `Read` have no secret, `EDGEFLAKE_PUBLIC_ISSUE` and `EDGEFLAKE_PUBLIC_READ` open
//! these roles to every caller.

use edgeflake_workers::problem::Problem;
use edgeflake_workers::settings::table::{PUBLIC, TOKENS, Values};
use subtle::ConstantTimeEq;

/// The rights of a token. The lowest role is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// The caller may read status, nodes and metrics.
    Read,
    /// The caller may get ids.
    Issue,
    /// The caller may get leases and batches.
    Lease,
    /// The caller may create, shrink and destroy sequencers.
    Admin,
}

impl Role {
    /// All roles, the lowest first.
    pub(crate) const ALL: [Self; 4] = [Self::Read, Self::Issue, Self::Lease, Self::Admin];

    /// Returns the name of the role's secret.
    pub(crate) const fn secret(self) -> &'static str {
        TOKENS[self as usize]
    }

    /// Returns the names of the secrets that give this role, such as `EDGEFLAKE_LEASE_TOKEN or
    /// EDGEFLAKE_ADMIN_TOKEN`.
    fn secrets(self) -> String {
        let names = Self::ALL.map(Self::secret);
        let [rest @ .., last] = &names[self as usize..] else { return String::new() };
        if rest.is_empty() { (*last).to_owned() } else { format!("{} or {last}", rest.join(", ")) }
    }
}

/// The secrets of the roles, and the roles that need no secret.
pub(crate) struct Access {
    /// Each secret that is set, with its role.
    secrets: Vec<(Role, Secret)>,
    /// The roles that have no secret and that a variable opens to every caller.
    public: Vec<Role>,
}

impl Access {
    /// Reads the variables.
    ///
    /// # Errors
    /// A text that names the variables and says what is allowed. The text does not show the value
    /// that was found, because this value may be a secret that was put into the wrong variable.
    pub(crate) fn read(values: &Values) -> Result<Self, String> {
        let mut secrets: Vec<(Role, Secret)> = Vec::new();
        for (role, text) in Role::ALL.into_iter().zip(&values.tokens) {
            for secret in Secret::read(role.secret(), text)? {
                let is_same = |(other, known): &&(Role, Secret)| *other != role && secret.is(known);
                if let Some((other, _)) = secrets.iter().find(is_same) {
                    return Err(format!(
                        "{} has the same value as {}: each role needs its own",
                        role.secret(),
                        other.secret()
                    ));
                }
                secrets.push((role, secret));
            }
        }
        let is_secret = |role: Role| secrets.iter().any(|(of, _)| *of == role);
        let public = Role::ALL.into_iter().zip(values.public);
        let public = public.filter(|(role, is_public)| *is_public && !is_secret(*role));
        let public = public.map(|(role, _)| role).collect();
        Ok(Self { secrets, public })
    }

    /// Returns whether every caller has this role.
    pub(crate) fn is_public(&self, role: Role) -> bool {
        self.public.contains(&role)
    }

    /// Checks the header `Authorization` of a request that needs a role. Reads the header only if
    /// the role is not public. Returns the role of the token; `None` if no token is needed.
    ///
    /// # Errors
    /// A problem that says which secret to set or to send.
    pub(crate) fn admit(
        &self,
        needed: Role,
        authorization: impl FnOnce() -> Option<String>,
    ) -> Result<Option<Role>, Problem> {
        if self.is_public(needed) {
            return Ok(None);
        }
        let Some(header) = authorization() else {
            return Err(self.refusal(needed, "there is no header Authorization"));
        };
        match bearer(&header).map(|token| self.role(token)) {
            None => Err(self.refusal(needed, "the header Authorization has another scheme")),
            Some(None) => Err(self.refusal(needed, "the token is not known")),
            Some(Some(role)) if role < needed => Err(Problem::forbidden(format!(
                "the token is the value of {}: send the value of {}",
                role.secret(),
                needed.secrets()
            ))),
            Some(role) => Ok(role),
        }
    }

    /// Returns the role of a token. Compares the token with every secret, so that the time of the
    /// comparison does not reveal how much of the token is right.
    fn role(&self, token: &str) -> Option<Role> {
        let token = Secret::of(token)?;
        let known = |found, (role, secret): &(Role, Secret)| {
            if secret.is(&token) { Some(*role) } else { found }
        };
        self.secrets.iter().fold(None, known)
    }

    fn refusal(&self, needed: Role, found: &str) -> Problem {
        let set = self.secrets.iter().any(|(role, _)| *role >= needed);
        let allowed = needed.secrets();
        let detail = if set {
            format!("{found}: send Bearer and the value of {allowed}")
        } else {
            let public = PUBLIC
                .get(needed as usize)
                .map(|name| format!(", or set {name} = \"true\" to admit every caller"));
            let (secret, public) = (needed.secret(), public.unwrap_or_default());
            format!("{found}: set the secret {secret} and send it as Bearer{public}")
        };
        Problem::unauthorized(detail, needed.secret())
    }
}

/// Returns the token in a header `Authorization`. The scheme may be in upper or lower case.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
}

/// The smallest number of characters of a secret. 16 characters of base64 have 96 random bits, too
/// many to guess over a network.
const LENGTH_MIN: usize = 16;

/// The largest number of characters of a secret: twice as many characters as 32 random bytes have
/// in hexadecimal.
const LENGTH_MAX: usize = 128;

/// The largest number of values that a role's secret may have: the current value and the next
/// value.
const VALUES_MAX: usize = 2;

/// A secret, padded to a fixed length, so that every comparison covers the same number of bytes.
///
/// A comparison of two strings stops at once if their lengths differ, so the time of an answer
/// would reveal the length of the secret. The padding is 0 bytes, which no secret contains, so
/// values of different lengths always differ.
#[derive(Debug, PartialEq, Eq)]
struct Secret([u8; LENGTH_MAX]);

impl Secret {
    /// Reads the values of a role's secret: one value, or two values with white space between them.
    ///
    /// # Errors
    /// A text that says what is allowed, and does not show the value.
    fn read(name: &str, text: &str) -> Result<Vec<Self>, String> {
        let values: Vec<_> = text.split_ascii_whitespace().collect();
        if values.len() > VALUES_MAX {
            return Err(format!(
                "{name} has {} values with spaces between them: give it 1 or {VALUES_MAX}",
                values.len()
            ));
        }
        if !values.iter().all(|value| value.bytes().all(|byte| byte.is_ascii_graphic())) {
            return Err(format!(
                "{name} has a character that no token has: use visible ASCII characters"
            ));
        }
        let lengths = LENGTH_MIN..=LENGTH_MAX;
        if let Some(value) = values.iter().find(|value| !lengths.contains(&value.len())) {
            return Err(format!(
                "{name} has {} characters: give it {LENGTH_MIN} to {LENGTH_MAX}",
                value.len()
            ));
        }
        Ok(values.into_iter().filter_map(Self::of).collect())
    }

    /// Pads a token for comparison. Returns `None` if the token is longer than a secret can be.
    fn of(token: &str) -> Option<Self> {
        let mut bytes = [0; LENGTH_MAX];
        bytes.get_mut(..token.len())?.copy_from_slice(token.as_bytes());
        Some(Self(bytes))
    }

    /// Returns whether two secrets are the same. The comparison always takes the same time.
    fn is(&self, other: &Self) -> bool {
        self.0.as_slice().ct_eq(&other.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edgeflake_workers::settings::table::Scope;
    use edgeflake_workers::settings::variables::Variables;

    fn read(variables: &[(&str, &str)]) -> Result<Access, String> {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Access::read(&Variables::new(&variable).values(&[Scope::Worker, Scope::Secret])?)
    }

    fn access(variables: &[(&str, &str)]) -> Access {
        read(variables).unwrap()
    }

    const ALL: &[(&str, &str)] = &[
        ("EDGEFLAKE_READ_TOKEN", READ),
        ("EDGEFLAKE_ISSUE_TOKEN", ISSUE),
        ("EDGEFLAKE_LEASE_TOKEN", LEASE),
        ("EDGEFLAKE_ADMIN_TOKEN", ADMIN),
    ];

    const READ: &str = "read--0123456789";
    const ISSUE: &str = "issue-0123456789";
    const LEASE: &str = "lease-0123456789";
    const ADMIN: &str = "admin-0123456789";
    const NEXT: &str = "next--0123456789";

    #[test]
    fn a_higher_role_includes_the_lower() {
        let access = access(ALL);
        for (token, role) in
            [(READ, Role::Read), (ISSUE, Role::Issue), (LEASE, Role::Lease), (ADMIN, Role::Admin)]
        {
            for needed in Role::ALL {
                let admitted = access.admit(needed, || Some(format!("Bearer {token}")));
                assert_eq!(admitted.ok(), (role >= needed).then_some(Some(role)), "{token}");
            }
        }
    }

    #[test]
    fn no_other_header_is_admitted() {
        let access = access(ALL);
        for header in [
            None,
            Some(""),
            Some(ISSUE),
            Some("Bearer"),
            Some("Bearer "),
            Some("Bearer ISSUE-0123456789"),
            Some("Bearer issue-01234567890"),
            Some("Bearer issue-012345678"),
            Some("Basic issue-0123456789"),
        ] {
            let header = header.map(str::to_owned);
            assert!(access.admit(Role::Issue, || header.clone()).is_err(), "{header:?}");
        }
        assert!(access.admit(Role::Issue, || Some(format!("bearer  {ISSUE} "))).is_ok());
    }

    #[test]
    fn who_is_let_in_without_a_token() {
        let (issue, read) = ("EDGEFLAKE_PUBLIC_ISSUE", "EDGEFLAKE_PUBLIC_READ");
        for (variables, public) in [
            (&[][..], &[][..]),
            (&[(issue, "false")], &[]),
            (&[(issue, "true")], &[Role::Issue]),
            (&[(read, "true")], &[Role::Read]),
            (&[(issue, "true"), ("EDGEFLAKE_ISSUE_TOKEN", ISSUE)], &[]),
            (&[(issue, "true"), ("EDGEFLAKE_READ_TOKEN", READ)], &[Role::Issue]),
            (&[(issue, "true"), (read, "true"), ("EDGEFLAKE_READ_TOKEN", READ)], &[Role::Issue]),
            (&[(issue, "true"), ("EDGEFLAKE_ADMIN_TOKEN", ADMIN)], &[Role::Issue]),
        ] {
            let access = access(variables);
            for role in Role::ALL {
                let is_admitted = access.admit(role, || None).is_ok();
                assert_eq!(is_admitted, public.contains(&role), "{variables:?} {role:?}");
            }
        }
    }

    #[test]
    fn an_empty_secret_is_none() {
        let access = access(&[("EDGEFLAKE_ISSUE_TOKEN", ""), ("EDGEFLAKE_ADMIN_TOKEN", " ")]);
        for header in ["Bearer ", "Bearer  ", ""] {
            assert!(access.admit(Role::Issue, || Some(header.to_owned())).is_err());
        }
    }

    #[test]
    fn refusals_say_what_to_set() {
        let detail = |variables, needed, header: Option<&str>| {
            let header = header.map(str::to_owned);
            access(variables).admit(needed, || header).unwrap_err().detail.clone()
        };
        assert_eq!(
            detail(&[], Role::Issue, None),
            "there is no header Authorization: set the secret EDGEFLAKE_ISSUE_TOKEN and send it as \
             Bearer, or set EDGEFLAKE_PUBLIC_ISSUE = \"true\" to admit every caller"
        );
        assert_eq!(
            detail(&[("EDGEFLAKE_ISSUE_TOKEN", ISSUE)], Role::Lease, Some("Basic i")),
            "the header Authorization has another scheme: set the secret EDGEFLAKE_LEASE_TOKEN and \
             send it as Bearer"
        );
        assert_eq!(
            detail(ALL, Role::Issue, Some("Bearer x")),
            "the token is not known: send Bearer and the value of EDGEFLAKE_ISSUE_TOKEN, \
             EDGEFLAKE_LEASE_TOKEN or EDGEFLAKE_ADMIN_TOKEN"
        );
        assert_eq!(
            detail(ALL, Role::Admin, Some("Bearer lease-0123456789")),
            "the token is the value of EDGEFLAKE_LEASE_TOKEN: send the value of \
             EDGEFLAKE_ADMIN_TOKEN"
        );
    }

    /// Tests each step of the change of a secret, while some callers send the old value and other
    /// callers send the new value.
    #[test]
    fn a_secret_is_changed_without_a_gap() {
        for (value, old, new) in [
            (LEASE, true, false),
            (&*format!("{LEASE} {NEXT}"), true, true),
            (&format!(" {NEXT}\n{LEASE}\n"), true, true),
            (&format!("{NEXT} {NEXT}"), false, true),
            (NEXT, false, true),
        ] {
            let access = access(&[("EDGEFLAKE_LEASE_TOKEN", value)]);
            for (token, is_known) in [(LEASE, old), (NEXT, new)] {
                let role = access.admit(Role::Issue, || Some(format!("Bearer {token}"))).ok();
                assert_eq!(role, is_known.then_some(Some(Role::Lease)), "{value:?} {token}");
            }
        }
    }

    #[test]
    fn what_is_refused_is_not_shown() {
        for (variables, expected) in [
            (
                &[("EDGEFLAKE_PUBLIC_ISSUE", "hush")][..],
                r#"EDGEFLAKE_PUBLIC_ISSUE is neither "true" nor "false": set it to one of them, or remove it"#,
            ),
            (
                &[("EDGEFLAKE_ADMIN_TOKEN", "hush")],
                "EDGEFLAKE_ADMIN_TOKEN has 4 characters: give it 16 to 128",
            ),
            (
                &[("EDGEFLAKE_ISSUE_TOKEN", NEXT), ("EDGEFLAKE_ADMIN_TOKEN", NEXT)],
                "EDGEFLAKE_ADMIN_TOKEN has the same value as EDGEFLAKE_ISSUE_TOKEN: each role needs \
                 its own",
            ),
            (
                &[
                    ("EDGEFLAKE_LEASE_TOKEN", "lease-0123456789 next--0123456789"),
                    ("EDGEFLAKE_ADMIN_TOKEN", NEXT),
                ],
                "EDGEFLAKE_ADMIN_TOKEN has the same value as EDGEFLAKE_LEASE_TOKEN: each role needs \
                 its own",
            ),
        ] {
            assert_eq!(read(variables).err().unwrap(), expected);
        }
    }

    #[test]
    fn lengths() {
        let read = |text: &str| Secret::read("X", text);
        let count = |text: &str| read(text).map(|secrets| secrets.len());
        for length in [LENGTH_MIN, LENGTH_MAX] {
            assert_eq!(count(&"a".repeat(length)), Ok(1), "{length}");
        }
        for length in [1, LENGTH_MIN - 1, LENGTH_MAX + 1] {
            let refusal = format!("X has {length} characters: give it 16 to 128");
            assert_eq!(count(&"a".repeat(length)), Err(refusal));
        }
        for empty in ["", " ", "\n"] {
            assert_eq!(count(empty), Ok(0));
        }
        assert_eq!(read(" 0123456789abcdef\n"), Ok(vec![Secret::of("0123456789abcdef").unwrap()]));
        for other in ["0123456789äabcdef", "0123456789\0abcdef"] {
            let refused = "X has a character that no token has: use visible ASCII characters";
            assert_eq!(count(other), Err(refused.to_owned()));
        }
        let (one, two) = ("0123456789abcdef", "0123456789abcdef\n 0123456789abcdeg");
        assert_eq!(count(two), Ok(2));
        let refused = "X has 3 values with spaces between them: give it 1 or 2";
        assert_eq!(count(&format!("{two} {one}")), Err(refused.to_owned()));
    }

    #[test]
    fn a_token_is_the_secret_or_not() {
        let secret = Secret::of("0123456789abcdef").unwrap();
        for (token, is) in [
            ("0123456789abcdef", true),
            ("0123456789abcdeg", false),
            ("0123456789abcde", false),
            ("0123456789abcdef0", false),
            ("", false),
        ] {
            assert_eq!(secret.is(&Secret::of(token).unwrap()), is, "{token}");
        }
        assert_eq!(Secret::of(&"a".repeat(LENGTH_MAX + 1)), None);
    }
}
