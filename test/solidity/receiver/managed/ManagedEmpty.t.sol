// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IManagedReceiver} from "../../../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedEmptyTest
/// @notice A receiver that was deployed with neither solvers nor currencies takes nothing until it is given both.
contract ManagedEmptyTest is ManagedFixture {
    function setUp() public {
        _deployManaged();
    }

    function testFuzz_RevertGiven_TheReceiverWasDeployedWithoutCurrencies(Draw memory draw) public {
        IManagedReceiver.Configuration memory configuration = _configuration(IRecordReceiver.Binding.Caller);
        configuration.limits = new ICurrencyLimits.CurrencyLimit[](0);
        Deposit memory deposit = _depositAt(configuration, draw);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(ICurrencyLimits.CurrencyNotAccepted.selector, deposit.currency)
        );

        deposit.receiver.setCurrencyLimits(
            ICurrencyLimits.CurrencyLimit({currency: deposit.currency, minimum: MINIMUM, maximum: MAXIMUM})
        );
        _assertAccepted(deposit);
    }

    function testFuzz_RevertGiven_TheReceiverWasDeployedWithoutSolvers(Draw memory draw) public {
        IManagedReceiver.Configuration memory configuration = _configuration(IRecordReceiver.Binding.Caller);
        configuration.solvers = new ISolverSet.InitialSolver[](0);
        Deposit memory deposit = _depositAt(configuration, draw);
        _assertRefused(deposit, abi.encodeWithSelector(ISolverSet.SignerNotSolver.selector, SOLVER));

        deposit.receiver.addSolver(SOLVER, PAYEE, uint40(NOW + ACTIVATION_DELAY), false);
        CLOCK.warp(NOW + ACTIVATION_DELAY);
        deposit.coSignature.deadline = block.timestamp;
        _coSign(CO_SIGNER_KEY, deposit);
        _assertAccepted(deposit);
    }

    /// @dev Bound to its caller, so that the record that is good elsewhere is good here.
    function _depositAt(
        IManagedReceiver.Configuration memory configuration,
        Draw memory draw
    ) private returns (Deposit memory deposit) {
        draw.bindsCaller = true;
        deposit = _validDeposit(draw);
        deposit.receiver = new ManagedReceiver(configuration);
        _coSign(CO_SIGNER_KEY, deposit);
        _list(deposit, true);
        _fund(deposit);
    }
}
