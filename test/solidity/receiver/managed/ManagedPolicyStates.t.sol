// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {ContractSigner} from "../../../../contracts/mocks/ContractSigner.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedPolicyStatesTest
/// @notice The lens and a deposit agree in any state of the policies. Their lists of checks are two, in `_accept` and in the
/// lens: these tests keep them in step.
contract ManagedPolicyStatesTest is ManagedFixture {
    /// @notice What has changed between signing and paying. Each number chooses; most choices change nothing, so that deposits
    /// succeed, too.
    struct Changes {
        uint8 pause;
        uint8 recipients;
        uint8 coSigner;
        uint8 limits;
        uint8 solver;
        uint8 clock;
        uint8 chain;
        uint8 replay;
        uint8 payment;
        uint256 value;
    }

    /// @dev One choice in so many changes something.
    uint256 private constant CHOICES = 8;

    ContractSigner private _wallet;

    function setUp() public {
        _deployManaged();
        _wallet = new ContractSigner(VM.addr(STRANGER_KEY));
        uint40 start = uint40(block.timestamp + ACTIVATION_DELAY);
        _byReceiver.addSolver(address(_wallet), PAYEE, start, true);
        _byCaller.addSolver(address(_wallet), PAYEE, start, true);
        CLOCK.warp(start);
    }

    function testFuzz_AnyStateOfThePoliciesIsJudgedAsADepositWould(
        Draw memory draw,
        Changes memory changes
    ) public {
        Deposit memory deposit = _validDeposit(draw);
        _changeAuthority(deposit, changes);
        _changePolicies(deposit, changes);
        _changePayment(deposit, changes);
        _assertAgrees(deposit, _validate(deposit));
    }

    /// @notice The same with exactly one change, which most often is the only reason.
    function testFuzz_AnyOneChangeIsJudgedAsADepositWould(
        Draw memory draw,
        uint256 policy,
        uint8 choice,
        uint256 value
    ) public {
        uint8[9] memory choices;
        for (uint256 i; i < choices.length; ++i) choices[i] = uint8(CHOICES - 1);
        choices[policy % 9] = choice % 4;
        Changes memory changes = abi.decode(abi.encode(choices, value), (Changes));
        Deposit memory deposit = _validDeposit(draw);
        _changeAuthority(deposit, changes);
        _changePolicies(deposit, changes);
        _changePayment(deposit, changes);
        _assertAgrees(deposit, _validate(deposit));
    }

    function testFuzz_LimitsAreJudgedAsADepositWouldToTheUnit(Draw memory draw, uint256 place) public {
        Deposit memory deposit = _validDeposit(draw);
        // Around both limits, below them, and nothing at all.
        uint256[7] memory amounts = [
            MINIMUM - 1,
            MINIMUM,
            MINIMUM + 1,
            MAXIMUM - 1,
            MAXIMUM,
            uint256(MAXIMUM) + 1,
            0
        ];
        deposit.amount = amounts[place % 7];
        deposit.record.originAmount = deposit.amount;
        _signSolver(SOLVER_KEY, deposit);
        _coSign(CO_SIGNER_KEY, deposit);
        bool isWithin = deposit.amount >= MINIMUM && deposit.amount <= MAXIMUM;
        _assertEq(_assertAgrees(deposit, _validate(deposit)), isWithin);
    }

    function testFuzz_AContractSolverIsJudgedAsADepositWould(Draw memory draw, uint8 mode) public {
        Deposit memory deposit = _validDeposit(draw);
        _signByWallet(deposit);
        mode %= 3;
        _wallet.setMode(mode);
        // Its own signature, any signature, none.
        _assertEq(_assertAgrees(deposit, _validate(deposit)), mode != 2);
    }

    function _changeAuthority(Deposit memory deposit, Changes memory changes) private {
        uint256 solver = changes.solver % CHOICES;
        if (solver == 0) deposit.receiver.retireSolver(SOLVER, uint40(block.timestamp));
        if (solver == 1)
            deposit.receiver.retireSolver(SOLVER, uint40(block.timestamp + (changes.value % 2 days)));
        if (solver == 2) _signSolver(_boundKey(changes.value), deposit);
        if (solver == 3) _signByWallet(deposit);
        if (solver == 3) _wallet.setMode(uint8(changes.value % 3));

        uint256 coSigner = changes.coSigner % CHOICES;
        if (coSigner == 0) deposit.receiver.setCoSigner(address(0));
        if (coSigner == 1) deposit.receiver.setCoSigner(VM.addr(_boundKey(changes.value)));
        if (coSigner == 2) _coSign(_boundKey(changes.value), deposit);
        if (coSigner == 3) deposit.coSignature.vs ^= bytes32(changes.value);

        uint256 replay = changes.replay % CHOICES;
        if (replay == 0) _assertAgrees(deposit, _validate(deposit));
    }

    function _changePolicies(Deposit memory deposit, Changes memory changes) private {
        if (changes.pause % CHOICES == 0) deposit.receiver.setPaused(true);

        uint256 recipients = changes.recipients % CHOICES;
        if (recipients < 2) _list(deposit, false);
        if (recipients == 1 || recipients == 2) deposit.receiver.setRecipientListOpen(true);

        uint256 unit = 1e12;
        uint128 minimum = uint128(_bound(changes.value, 0, 1e12) * unit);
        uint128 maximum = uint128(
            _bound(uint256(keccak256(abi.encode(changes.value))), minimum / unit, 1e12) * unit
        );
        uint256 limits = changes.limits % CHOICES;
        if (limits == 0) (minimum, maximum) = (0, 0);
        if (limits == 1) (minimum, maximum) = (0, type(uint128).max);
        if (limits < 3) {
            deposit.receiver.setCurrencyLimits(
                ICurrencyLimits.CurrencyLimit({
                    currency: deposit.currency,
                    minimum: minimum,
                    maximum: maximum
                })
            );
        }
    }

    function _changePayment(Deposit memory deposit, Changes memory changes) private {
        uint256 payment = changes.payment % CHOICES;
        if (payment == 0) deposit.amount = _bound(changes.value, 0, 2 * uint256(MAXIMUM));
        if (payment == 1) deposit.caller = STRANGER;
        if (payment == 2) deposit.isV2 = !deposit.isV2;
        if (payment == 3) deposit.currency = deposit.currency == address(0) ? address(_token) : address(0);

        // Again, because a replay follows a payment.
        _fund(deposit);

        if (changes.clock % CHOICES == 0) CLOCK.warp(block.timestamp + (changes.value % 3 days));
        if (changes.chain % CHOICES == 0) VM.chainId(_bound(changes.value, 1, type(uint64).max));
    }

    function _signByWallet(Deposit memory deposit) private view {
        _signSolver(STRANGER_KEY, deposit);
        deposit.signature = abi.encodePacked(address(_wallet), deposit.signature);
    }
}
