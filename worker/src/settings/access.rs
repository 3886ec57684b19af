//! Who may do what: each role has a secret, and a higher role includes the lower ones.
//!
//! A secret has two values, the current and the next one, and either opens what the role may do. So a
//! secret is changed without a gap: set the next one, move the callers, then make it the current one.
//!
//! Without the secret `EDGEFLAKE_ISSUE_TOKEN`, what it would open is closed too, unless the variable
//! `EDGEFLAKE_PUBLIC_ISSUE` opens it to everybody.

use crate::settings::secret::Secret;
use edgeflake_authority::problem::Problem;

/// What a token allows, the lowest role first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// To get ids, and to read status, nodes and metrics.
    Issue,
    /// To get leases and batches.
    Lease,
    /// To create and destroy sequencers.
    Admin,
}

impl Role {
    /// All roles, the lowest first.
    pub(crate) const ALL: [Self; 3] = [Self::Issue, Self::Lease, Self::Admin];

    /// The name of its secret.
    pub(crate) const fn secret(self) -> &'static str {
        self.values()[0]
    }

    /// The names of its two values.
    const fn values(self) -> [&'static str; 2] {
        match self {
            Self::Issue => ["EDGEFLAKE_ISSUE_TOKEN", "EDGEFLAKE_ISSUE_TOKEN_NEXT"],
            Self::Lease => ["EDGEFLAKE_LEASE_TOKEN", "EDGEFLAKE_LEASE_TOKEN_NEXT"],
            Self::Admin => ["EDGEFLAKE_ADMIN_TOKEN", "EDGEFLAKE_ADMIN_TOKEN_NEXT"],
        }
    }

    /// The names of the secrets that include it, such as `EDGEFLAKE_LEASE_TOKEN or
    /// EDGEFLAKE_ADMIN_TOKEN`.
    const fn secrets(self) -> &'static str {
        match self {
            Self::Issue => "EDGEFLAKE_ISSUE_TOKEN, EDGEFLAKE_LEASE_TOKEN or EDGEFLAKE_ADMIN_TOKEN",
            Self::Lease => "EDGEFLAKE_LEASE_TOKEN or EDGEFLAKE_ADMIN_TOKEN",
            Self::Admin => "EDGEFLAKE_ADMIN_TOKEN",
        }
    }
}

/// The secrets, and whether the lowest role needs one.
pub(crate) struct Access {
    /// Each value of a secret that is set, with its role.
    secrets: Vec<(Role, Secret)>,
    public: bool,
}

impl Access {
    /// # Errors
    /// A text that names the variables and says what is allowed, without the value that was found:
    /// it may be a secret, also in a variable that is none.
    pub(crate) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let public = match variable("EDGEFLAKE_PUBLIC_ISSUE").as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => {
                let allowed = r#"another value than "true" and "false""#;
                return Err(format!("EDGEFLAKE_PUBLIC_ISSUE has {allowed}"));
            }
        };
        let mut secrets = Vec::new();
        for role in Role::ALL {
            for name in role.values() {
                let Some(secret) = Secret::read(name, variable(name))? else { continue };
                // While a secret is changed, both of its values may be the new one.
                if let Some((other, _)) =
                    secrets.iter().find(|(other, known)| *other != role && secret.is(known))
                {
                    let other: &Role = other;
                    return Err(format!(
                        "{name} has the same value as a secret of {}: each role needs its own",
                        other.secret()
                    ));
                }
                secrets.push((role, secret));
            }
        }
        Ok(Self { secrets, public })
    }

    /// Admits a request that needs a role by its header `Authorization`, which is read only if it
    /// matters. Returns the role of its token; `None` if it needs no token.
    ///
    /// # Errors
    /// A problem that says which secret to set or to send.
    pub(crate) fn admit(
        &self,
        needed: Role,
        authorization: impl FnOnce() -> Option<String>,
    ) -> Result<Option<Role>, Problem> {
        let is_set = |role| self.secrets.iter().any(|(of, _)| *of == role);
        if needed == Role::Issue && self.public && !is_set(Role::Issue) {
            return Ok(None);
        }
        let Some(header) = authorization() else {
            return Err(self.refusal(needed, "there is no header Authorization"));
        };
        match bearer(&header).map(|token| self.role(token)) {
            None => Err(self.refusal(needed, "the header Authorization has another scheme")),
            Some(None) => Err(self.refusal(needed, "the token is not known")),
            Some(Some(role)) if role < needed => Err(Problem::forbidden(format!(
                "the token is that of {}: {} is allowed",
                role.secret(),
                needed.secrets()
            ))),
            Some(role) => Ok(role),
        }
    }

    /// The role of a token. The token is compared with every secret, in a time that does not tell how
    /// much of it is right.
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
        let detail = match needed {
            _ if set => format!("{found}: send Bearer and the value of {allowed}"),
            Role::Issue => format!(
                "{found}: set the secret EDGEFLAKE_ISSUE_TOKEN and send it as Bearer, or set \
                 EDGEFLAKE_PUBLIC_ISSUE = \"true\" to let everybody in"
            ),
            _ => format!("{found}: set the secret {} and send it as Bearer", needed.secret()),
        };
        Problem::unauthorized(detail, needed.secret())
    }
}

/// The token of a header `Authorization`, whose scheme may be written in any case.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Access, String> {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Access::read(&variable)
    }

    fn access(variables: &[(&str, &str)]) -> Access {
        read(variables).unwrap()
    }

    const ALL: &[(&str, &str)] = &[
        ("EDGEFLAKE_ISSUE_TOKEN", ISSUE),
        ("EDGEFLAKE_LEASE_TOKEN", LEASE),
        ("EDGEFLAKE_ADMIN_TOKEN", ADMIN),
    ];

    const ISSUE: &str = "issue-0123456789";
    const LEASE: &str = "lease-0123456789";
    const ADMIN: &str = "admin-0123456789";
    const NEXT: &str = "next--0123456789";

    #[test]
    fn a_higher_role_includes_the_lower() {
        let access = access(ALL);
        for (token, role) in [(ISSUE, Role::Issue), (LEASE, Role::Lease), (ADMIN, Role::Admin)] {
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
        for (variables, public) in [
            (&[][..], false),
            (&[("EDGEFLAKE_PUBLIC_ISSUE", "false")], false),
            (&[("EDGEFLAKE_PUBLIC_ISSUE", "true")], true),
            (&[("EDGEFLAKE_PUBLIC_ISSUE", "true"), ("EDGEFLAKE_ISSUE_TOKEN", ISSUE)], false),
            (&[("EDGEFLAKE_PUBLIC_ISSUE", "true"), ("EDGEFLAKE_ADMIN_TOKEN", ADMIN)], true),
        ] {
            let access = access(variables);
            assert_eq!(access.admit(Role::Issue, || None).is_ok(), public, "{variables:?}");
            assert!(access.admit(Role::Lease, || None).is_err(), "{variables:?}");
            assert!(access.admit(Role::Admin, || None).is_err(), "{variables:?}");
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
             Bearer, or set EDGEFLAKE_PUBLIC_ISSUE = \"true\" to let everybody in"
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
            "the token is that of EDGEFLAKE_LEASE_TOKEN: EDGEFLAKE_ADMIN_TOKEN is allowed"
        );
    }

    /// Each step of a change, in which callers with the old value and with the new one are there.
    #[test]
    fn a_secret_is_changed_without_a_gap() {
        let (name, next) = ("EDGEFLAKE_LEASE_TOKEN", "EDGEFLAKE_LEASE_TOKEN_NEXT");
        for (variables, old, new) in [
            (&[(name, LEASE)][..], true, false),
            (&[(name, LEASE), (next, NEXT)], true, true),
            (&[(name, NEXT), (next, NEXT)], false, true),
            (&[(name, NEXT)], false, true),
            (&[(next, NEXT)], false, true),
        ] {
            let access = access(variables);
            for (token, is_known) in [(LEASE, old), (NEXT, new)] {
                let role = access.admit(Role::Issue, || Some(format!("Bearer {token}"))).ok();
                assert_eq!(role, is_known.then_some(Some(Role::Lease)), "{variables:?} {token}");
            }
        }
    }

    #[test]
    fn what_is_refused_is_not_shown() {
        for (variables, expected) in [
            (
                &[("EDGEFLAKE_PUBLIC_ISSUE", "hush")][..],
                r#"EDGEFLAKE_PUBLIC_ISSUE has another value than "true" and "false""#,
            ),
            (
                &[("EDGEFLAKE_ADMIN_TOKEN_NEXT", "hush")],
                "EDGEFLAKE_ADMIN_TOKEN_NEXT has 4 characters: 16 to 128 are allowed",
            ),
            (
                &[("EDGEFLAKE_ISSUE_TOKEN", NEXT), ("EDGEFLAKE_ADMIN_TOKEN", NEXT)],
                "EDGEFLAKE_ADMIN_TOKEN has the same value as a secret of EDGEFLAKE_ISSUE_TOKEN: each \
                 role needs its own",
            ),
            (
                &[("EDGEFLAKE_LEASE_TOKEN", NEXT), ("EDGEFLAKE_ADMIN_TOKEN_NEXT", NEXT)],
                "EDGEFLAKE_ADMIN_TOKEN_NEXT has the same value as a secret of \
                 EDGEFLAKE_LEASE_TOKEN: each role needs its own",
            ),
        ] {
            assert_eq!(read(variables).err().unwrap(), expected);
        }
    }
}
